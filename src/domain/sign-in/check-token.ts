import type { DomainDeps } from '../deps.ts'
import type { Scope } from '../keys/restrictions/scopes.ts'
import { findTokenState } from '../users/user-token-state-store.ts'
import type { TokenState } from '../users/user-token-state-store.ts'
import type { AccessTokenClaims } from './access-token.ts'
import { isTokenStateValid, signInIdOf } from './authority.ts'
import type { Caller } from './authority.ts'
import type { Resource } from './resources.ts'

/** A token that is in force. */
export type CheckedToken = Readonly<{
  claims: AccessTokenClaims
  ids: Pick<Caller, 'userId' | 'apiKeyId' | 'signInId'>
  account: TokenState
}>

/**
 * Reads the current state of the token's user, and of its key or sign-in: never cached (docs/decisions/0004). Does not
 * check the networks of a key.
 * @param resource default: the API
 * @returns `undefined` unless the token is in force
 * @throws {StandbyError} when the server may lag behind a revocation
 */
export async function checkToken(
  { accessTokens, config, db, clock }: DomainDeps,
  token: string,
  resource?: Resource | 'any',
): Promise<CheckedToken | undefined> {
  const claims = accessTokens.verify(token, resource)
  if (claims === undefined) return undefined
  const nowMs = clock.now()
  const ids = { userId: claims.sub, apiKeyId: claims.apiKeyId ?? null, signInId: signInIdOf(claims) }
  const account = await findTokenState(db, { ...ids, nowMs })
  return isTokenStateValid(config, claims, account, nowMs) ? { claims, ids, account } : undefined
}

/** @param scope of the route; a write checks it again */
export const callerFrom = ({ claims, ids, account }: CheckedToken, scope: Scope | null): Caller => ({
  ...ids,
  sid: claims.sid,
  role: claims.role,
  tokenVersion: claims.tokenVersion,
  amr: claims.amr[0],
  issuedAtSeconds: claims.iat,
  account,
  scope,
})
