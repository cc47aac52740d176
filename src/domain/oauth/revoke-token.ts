import type { Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import type { DomainDeps } from '../deps.ts'
import type { EventSource } from '../events/security-events.ts'
import { findKeysById } from '../keys/key-store.ts'
import { revokeKeys } from '../keys/revoke-keys.ts'
import { withAuthority } from '../sign-in/authority.ts'
import { callerFrom, checkToken } from '../sign-in/check-token.ts'
import { endCallersSignIn } from '../sign-in/end-sign-in.ts'
import type { User } from '../users/user-store.ts'
import { findClientId } from './client-id.ts'

/**
 * Ends what the token comes from: a sign-in, an API key or the access of an app. The networks of a key are not checked,
 * so that a finder can end a token. A token that is not in force changes nothing (RFC 7009, section 2.2).
 * @param clientId of the client that asks, if it names itself
 * @throws {ApiError} `INVALID_GRANT` if the token is another client's
 */
export async function revokeToken(
  deps: DomainDeps,
  token: string,
  clientId: string | undefined,
  { ip, browser }: EventSource,
): Promise<void> {
  const checked = await checkToken(deps, token, 'any')
  if (checked === undefined) return
  const caller = callerFrom(checked, null)
  if (clientId !== undefined && (await findClientId(deps.db, caller)) !== clientId) throw new ApiError('INVALID_GRANT')
  const source = { ip, browser, caller }
  const end = async (trx: Transaction, user: User) => {
    if (caller.apiKeyId === null) {
      await endCallersSignIn(deps, trx, { caller, user }, source)
      return false
    }
    const [key] = await findKeysById(trx, user.id, [caller.apiKeyId])
    if (key === undefined) return false
    const { count } = await revokeKeys(deps, trx, key, { withDescendants: false }, source)
    return key.kind === 'app' && count > 0
  }
  const isAppEnded = await withAuthority(deps, caller, end, { endsToken: true, isRevocation: true }).catch(
    (error: unknown) => {
      // It ended meanwhile.
      if (!(error instanceof ApiError && error.code === 'UNAUTHORIZED')) throw error
      return false
    },
  )
  if (isAppEnded) deps.oauthCounts.noteApp('disconnected')
}
