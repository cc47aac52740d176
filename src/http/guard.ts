/** The guard: who calls, from their token and from the state of their account at this very moment. */
import type { FastifyRequest } from 'fastify'
import type { Queries, Transaction } from '../database/database.ts'
import type { Deps } from './deps.ts'
import { ApiError } from '../errors.ts'
import { countFields } from './raw-headers.ts'
import { ContentionTimeoutError } from '../lib/fair-queue.ts'
import type { Amr } from '../domain/sign-in/access-token.ts'
import { statusOf } from '../domain/keys/key-status.ts'
import { findTokenState, findUser, lockUser } from '../domain/users/user-store.ts'
import type { TokenState, User } from '../domain/users/user-store.ts'

/** Who makes a protected call. */
export type Caller = Readonly<{
  userId: string
  role: string
  tokenVersion: number
  amr: Amr
  /** The key the token came from; null: a person's sign-in. */
  apiKeyId: string | null
  /** The sign-in (`jti` of its token); null: the token came from a key. */
  signInId: string | null
  /** When the token was issued, in seconds. */
  issuedAtSeconds: number
  /** Their account as the guard found it. */
  account: TokenState
}>

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

/** The family of the key that the caller's token came from; null: a person's sign-in. */
export function familyIdOf({ apiKeyId, account }: Caller): string | null {
  return apiKeyId === null ? null : (account.family_id ?? apiKeyId)
}

/**
 * What a limit of the account is counted by (docs/decisions/0027): on a claimed account the person's sign-ins
 * together and each family of keys by itself, so that a thief uses up their own share only. Ending all
 * tokens begins new counts, which on a claimed account takes a person.
 */
export function limitKeyOf(caller: Caller): string {
  const { userId, tokenVersion, account } = caller
  if (account.claimed_at_ms === null) return userId
  return `${userId} ${tokenVersion} ${familyIdOf(caller) ?? 'person'}`
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

/**
 * The caller's account as it is now, for reads that depend on its state.
 * @throws {ApiError} `UNAUTHORIZED` when it was claimed or signed out since the guard: whoever took the
 * address first must not read what became the owner's just now
 */
export async function readCaller(db: Queries, { userId, tokenVersion }: Caller): Promise<User> {
  const user = await findUser(db, userId)
  if (user?.token_version !== tokenVersion) throw unauthorized('invalid_token')
  return user
}

/**
 * Refuses a key's token what is not the key's. On an account that nobody has claimed there is no other hand.
 * @param user the account, in a write the row that the write has locked
 * @throws {ApiError} `SIGN_IN_REQUIRED`
 */
export function requirePersonIfClaimed({ apiKeyId }: Caller, user: Pick<User, 'claimed_at_ms'>): void {
  if (apiKeyId !== null && user.claimed_at_ms !== null) throw new ApiError('SIGN_IN_REQUIRED')
}

/**
 * Refuses a caller whose token has died since the guard: for what was read since then, and takes long to answer.
 * @throws {ApiError} `UNAUTHORIZED`
 */
export async function requireInForce({ db, clock }: Pick<Deps, 'db' | 'clock'>, caller: Caller): Promise<void> {
  const { userId, apiKeyId } = caller
  const nowMs = clock.now()
  if (!isInForce(caller, await findTokenState(db, { userId, apiKeyId, nowMs }), nowMs)) throw unauthorized('invalid_token')
}

/** How long ago a person may have signed in to change how the account is signed in to, in seconds. */
const SIGNED_IN_WITHIN_SECONDS = 10 * 60

/**
 * Asks for a token from a recent sign-in by a person: whoever finds a token that lives for days cannot
 * make a way in of their own with it, or take the account away.
 * @returns the sign-in (`jti` of its token)
 * @throws {ApiError} `SIGN_IN_REQUIRED`
 */
export function requireRecentSignIn({ signInId, issuedAtSeconds }: Caller, nowMs: number): string {
  if (signInId !== null && issuedAtSeconds + SIGNED_IN_WITHIN_SECONDS > nowMs / 1000) return signInId
  const message = 'This needs a token from a sign-in by a person in the last ten minutes.'
  throw new ApiError('SIGN_IN_REQUIRED', { message })
}

/**
 * Runs a write that rests on the caller's token: locks the user's row and checks the token's state
 * again inside the transaction. A revocation that came between the guard and this write wins.
 * @param options what has to be locked before the user (docs/decisions/0016); whether the write ends the caller's
 * own token: then it waits for no other of that token's writes
 * @throws {ApiError} `UNAUTHORIZED` when the token has died meanwhile; `UNAVAILABLE` when too many writes of
 * this user are before it; nothing is written
 */
export async function withAuthority<T>(
  deps: Deps,
  caller: Caller,
  write: (trx: Transaction, user: User) => Promise<T>,
  { lockBefore, endsToken = false }: AuthorityOptions = {},
): Promise<T> {
  // Callers are key families and sign-ins: a flood with a stolen key's token does not keep its owner from revoking the key.
  const contention = {
    subject: caller.userId,
    caller: endsToken ? 'ends its token' : (familyIdOf(caller) ?? caller.signInId ?? ''),
  }
  try {
    return await deps.db.transaction(async (trx) => {
      await lockBefore?.(trx)
      const user = await lockUser(trx, 'id', caller.userId)
      const { userId, apiKeyId } = caller
      const nowMs = deps.clock.now()
      const state = await findTokenState(trx, { userId, apiKeyId, nowMs })
      if (user === undefined || !isInForce(caller, state, nowMs)) throw unauthorized('invalid_token')
      return write(trx, user)
    }, contention)
  } catch (error) {
    if (!(error instanceof ContentionTimeoutError)) throw error
    const message = 'Too many writes of this account are under way. Try again shortly.'
    throw new ApiError('UNAVAILABLE', { message, headers: { 'retry-after': '1' } })
  }
}

type AuthorityOptions = Readonly<{ lockBefore?: (trx: Transaction) => Promise<void>; endsToken?: boolean }>

// Whether the token's user and key, as they are now, still stand for it.
function isInForce(
  token: Readonly<{ role: string; tokenVersion: number; apiKeyId?: string | null }>,
  state: TokenState | undefined,
  nowMs: number,
): state is TokenState {
  if (state?.token_version !== token.tokenVersion || state.role !== token.role) return false
  if (state.disabled_at_ms !== null) return false
  if ((token.apiKeyId ?? null) === null) return true
  return state.key !== null && statusOf(state, nowMs) === 'ACTIVE'
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

/**
 * The one refusal of a protected call.
 * @param error absent where the request carried no credentials
 */
export function unauthorized(error?: 'invalid_token'): ApiError {
  const challenge = 'Bearer realm="paylink-auth"'
  return new ApiError('UNAUTHORIZED', {
    headers: { 'www-authenticate': error ? `${challenge}, error="${error}"` : challenge },
  })
}
