import type { DomainDeps } from '../deps.ts'
import { isFromAllowedNetwork, parseRestrictions } from '../keys/restrictions/restrictions.ts'
import { checkToken } from '../sign-in/check-token.ts'
import { readResource, scopesAt } from '../sign-in/resources.ts'
import { findClientId } from './client-id.ts'

/** RFC 7662, section 2.2. An inactive token is not described. */
export type TokenDescription = Readonly<{
  active: true
  scope: string
  client_id?: string
  token_type: 'Bearer'
  exp: number
  iat: number
  sub: string
  aud: string
  iss: string
  jti: string
  role: string
  account_claimed: boolean
}>

/**
 * The state of a token as the guard sees it now: nothing is cached (docs/decisions/0004).
 * @param clientIp of the call that carried the token; without it a token of a key with networks is not active, and the
 * last use of another one is shown with the network of the service that asks
 * @returns `undefined` if it is not active
 * @throws {StandbyError} when the server may lag behind a revocation
 */
export async function introspectToken(
  deps: DomainDeps,
  token: string,
  { clientIp, serviceIp }: Readonly<{ clientIp: string | undefined; serviceIp: string }>,
): Promise<TokenDescription | undefined> {
  const checked = await checkToken(deps, token, 'any')
  if (checked === undefined) return undefined
  const { claims, ids, account } = checked
  const restrictions = parseRestrictions(account.effective_restrictions)
  // An empty text is in no network.
  if (!isFromAllowedNetwork(restrictions, clientIp ?? '')) return undefined
  const clientId = await findClientId(deps.db, ids)
  if (ids.apiKeyId !== null) deps.keyUse.note(ids.apiKeyId, clientIp ?? serviceIp)
  else if (account.sign_in !== null) deps.signInUse.note(account.sign_in, clientIp ?? serviceIp)
  const { exp, iat, sub, aud, iss, jti, role } = claims
  return {
    active: true,
    scope: scopesAt(readResource(deps.config, aud), restrictions).join(' '),
    ...(clientId !== undefined && { client_id: clientId }),
    token_type: 'Bearer',
    exp,
    iat,
    sub,
    aud,
    iss,
    jti,
    role,
    account_claimed: account.claimed_at_ms !== null,
  }
}
