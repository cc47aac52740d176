import type { Caller } from '../../domain/sign-in/authority.ts'
import { ApiError } from '../../errors.ts'

const UNPROVEN = 'The address of this account is not proven yet. Sign in by magic link first.'

/**
 * Only the owner of an account lets apps in: neither a key's token, nor whoever has a Google account that does not prove
 * the address.
 * @throws {ApiError} `SIGN_IN_REQUIRED`
 */
export function requirePerson({ apiKeyId, account }: Caller): void {
  if (apiKeyId !== null) throw new ApiError('SIGN_IN_REQUIRED')
  if (account.claimed_at_ms === null) throw new ApiError('SIGN_IN_REQUIRED', { message: UNPROVEN })
}
