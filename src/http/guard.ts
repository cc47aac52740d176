/** The guard: who calls, from their token and from the state of their account at this very moment. */
import type { FastifyRequest } from 'fastify'
import { isInForce } from '../domain/sign-in/authority.ts'
import type { Caller } from '../domain/sign-in/authority.ts'
import { findTokenState } from '../domain/users/user-store.ts'
import { unauthorized } from '../errors.ts'
import type { Deps } from './deps.ts'
import { countFields } from './raw-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard before anything else of a protected endpoint runs; null on public ones. */
    caller: Caller | null
  }
}

/** The caller of a protected endpoint. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('this endpoint is not behind the guard')
  return request.caller
}

/**
 * The guard: finds out who calls, and notes it in the request. Reads the user and the key on every call, so that a
 * revocation answered before this request began is always seen (docs/decisions/0004).
 * @throws {ApiError} `UNAUTHORIZED`, the same for every cause (RFC 6750, section 3.1)
 */
export async function authenticate({ accessTokens, db, clock }: Deps, request: FastifyRequest): Promise<void> {
  const claims = accessTokens.verify(bearerToken(request))
  if (claims === undefined) throw unauthorized('invalid_token')
  const nowMs = clock.now()
  const account = await findTokenState(db, { userId: claims.sub, apiKeyId: claims.apiKeyId ?? null, nowMs })
  if (!isInForce(claims, account, nowMs)) throw unauthorized('invalid_token')
  request.caller = {
    userId: claims.sub,
    role: claims.role,
    tokenVersion: claims.tokenVersion,
    amr: claims.amr[0],
    apiKeyId: claims.apiKeyId ?? null,
    signInId: claims.apiKeyId === undefined ? claims.jti : null,
    issuedAtSeconds: claims.iat,
    account,
  }
}

const SCHEME = 'Bearer'

/**
 * What the request brings as its token, whatever it is.
 * @throws {ApiError} `UNAUTHORIZED` where there is nothing, or more than one
 */
function bearerToken(request: FastifyRequest): string {
  const { authorization } = request.headers
  // RFC 6750, section 3.1: no error attribute where there were no credentials of this scheme.
  if (authorization === undefined || !/^bearer(?![\w-])/i.test(authorization)) throw unauthorized()
  // Node keeps the first of two Authorization headers; a proxy may have checked the second.
  if (authorization[SCHEME.length] !== ' ' || countFields(request.raw.rawHeaders, 'authorization') > 1) {
    throw unauthorized('invalid_token')
  }
  return authorization.slice(SCHEME.length + 1)
}
