/** What a caller's token allows: who calls, and writes that check the token's state once more. */
import type { Queries, Transaction } from '../../database/database.ts'
import { ApiError, unauthorized } from '../../errors.ts'
import { ContentionTimeoutError } from '../../lib/fair-queue.ts'
import type { DomainDeps } from '../deps.ts'
import { statusOf } from '../keys/key-status.ts'
import { findTokenState, findUser, lockUser } from '../users/user-store.ts'
import type { TokenState, User } from '../users/user-store.ts'
import type { Amr } from './access-token.ts'

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
export async function requireInForce({ db, clock }: Pick<DomainDeps, 'db' | 'clock'>, caller: Caller): Promise<void> {
  const { userId, apiKeyId } = caller
  const nowMs = clock.now()
  if (!isInForce(caller, await findTokenState(db, { userId, apiKeyId, nowMs }), nowMs))
    throw unauthorized('invalid_token')
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
  deps: DomainDeps,
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

/** Whether the token's user and key, as they are now, still stand for it. */
export function isInForce(
  token: Readonly<{ role: string; tokenVersion: number; apiKeyId?: string | null }>,
  state: TokenState | undefined,
  nowMs: number,
): state is TokenState {
  if (state?.token_version !== token.tokenVersion || state.role !== token.role) return false
  if (state.disabled_at_ms !== null) return false
  if ((token.apiKeyId ?? null) === null) return true
  return state.key !== null && statusOf(state, nowMs) === 'ACTIVE'
}
