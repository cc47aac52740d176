/** Authenticates protected calls by the token and the current state of its account. */
import type { FastifyRequest } from 'fastify'
import { isTokenStateValid, signInIdOf } from '../domain/sign-in/authority.ts'
import type { Caller } from '../domain/sign-in/authority.ts'
import { findTokenState } from '../domain/users/user-token-state-store.ts'
import { hasScope, isFromAllowedNetwork, parseRestrictions } from '../domain/keys/restrictions/restrictions.ts'
import { insufficientScope, unauthorized } from '../errors.ts'
import type { Deps } from './deps.ts'
import { countFields } from './raw-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard before any other code of a protected endpoint; null on public endpoints. */
    caller: Caller | null
  }
}

/** @throws on a public endpoint */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('this endpoint is not behind the guard')
  return request.caller
}

/**
 * The guard: sets `request.caller`. It reads the user, and the key or the sign-in, on every call, so it sees every revocation that was
 * answered before this request began (docs/decisions/0004).
 * @throws {ApiError} `UNAUTHORIZED`, identical for every cause (RFC 6750, section 3.1), also outside the key's networks;
 * `INSUFFICIENT_SCOPE`
 */
export async function authenticate(deps: Deps, request: FastifyRequest): Promise<void> {
  const { accessTokens, config, db, clock, keyUse, signInUse } = deps
  const claims = accessTokens.verify(bearerToken(request))
  if (claims === undefined) throw unauthorized('invalid_token')
  const nowMs = clock.now()
  const ids = { userId: claims.sub, apiKeyId: claims.apiKeyId ?? null, signInId: signInIdOf(claims) }
  const account = await findTokenState(db, { ...ids, nowMs })
  if (!isTokenStateValid(config, claims, account, nowMs)) throw unauthorized('invalid_token')
  const restrictions = parseRestrictions(account.effective_restrictions)
  if (!isFromAllowedNetwork(restrictions, request.ip)) throw unauthorized('invalid_token')
  if (ids.apiKeyId !== null) keyUse.note(ids.apiKeyId, request.ip)
  else if (account.sign_in !== null) signInUse.note(account.sign_in, request.ip)
  const scope = request.routeOptions.config.scope ?? null
  if (scope !== null && !hasScope(restrictions, scope)) throw insufficientScope(scope)
  request.caller = {
    ...ids,
    sid: claims.sid,
    role: claims.role,
    tokenVersion: claims.tokenVersion,
    amr: claims.amr[0],
    issuedAtSeconds: claims.iat,
    account,
    scope,
  }
}

const SCHEME = 'Bearer'

/**
 * The unverified bearer token.
 * @throws {ApiError} `UNAUTHORIZED` if there is none, or more than one `Authorization` header
 */
function bearerToken(request: FastifyRequest): string {
  const { authorization } = request.headers
  // RFC 6750, section 3.1: no error attribute if the request has no credentials of this scheme.
  if (authorization === undefined || !/^bearer(?![\w-])/i.test(authorization)) throw unauthorized()
  // Node keeps the first of two Authorization headers; a proxy may have checked the second.
  if (authorization[SCHEME.length] !== ' ' || countFields(request.raw.rawHeaders, 'authorization') > 1) {
    throw unauthorized('invalid_token')
  }
  // One or more spaces (RFC 6750, section 2.1).
  return authorization.slice(SCHEME.length).replace(/^ +/, '')
}
