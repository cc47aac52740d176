import type { Config } from '../../config/settings.ts'
import type { Queries, Transaction } from '../../database/database.ts'
import { ApiError, insufficientScope, unauthorized } from '../../errors.ts'
import { ContentionTimeoutError } from '../../lib/fair-queue.ts'
import type { DomainDeps } from '../deps.ts'
import { statusOf } from '../keys/key-status.ts'
import { hasScope, parseRestrictions } from '../keys/restrictions/restrictions.ts'
import type { Scope } from '../keys/restrictions/scopes.ts'
import { findUser, lockUser } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'
import { findTokenState } from '../users/user-token-state-store.ts'
import type { TokenState } from '../users/user-token-state-store.ts'
import type { AccessTokenClaims, Amr } from './access-token.ts'
import { idleSinceMs } from './idle-sign-ins.ts'

export type Caller = Readonly<{
  userId: string
  role: string
  tokenVersion: number
  amr: Amr
  /** The API key that the token came from; null for a person's sign-in. */
  apiKeyId: string | null
  /** See `signInIdOf`. */
  signInId: string | null
  /** As in the token; a person's tokens of earlier versions have none. */
  sid: string | undefined
  issuedAtSeconds: number
  account: TokenState
  /** Of the route; a write checks it again. */
  scope: Scope | null
}>

/** The family of the key that the caller's token came from; null for a person's sign-in. */
export function familyIdOf({ apiKeyId, account }: Caller): string | null {
  return apiKeyId === null ? null : (account.family_id ?? apiKeyId)
}

/**
 * The key for limits of the account (docs/decisions/0027). On a claimed account all sign-ins share one count and each
 * key family has its own, so that a thief uses up only a share. Revoking all tokens starts new counts, which on a
 * claimed account takes a person.
 */
export function limitKeyOf(caller: Caller): string {
  const { userId, tokenVersion, account } = caller
  if (account.claimed_at_ms === null) return userId
  return `${userId} ${tokenVersion} ${familyIdOf(caller) ?? 'person'}`
}

/**
 * For reads that depend on the account's current state.
 * @throws {ApiError} `UNAUTHORIZED` when the account was claimed or its tokens were revoked since the guard: a caller
 * from before the claim must not read the owner's data
 */
export async function readCaller(db: Queries, { userId, tokenVersion }: Caller): Promise<User> {
  const user = await findUser(db, userId)
  if (user?.token_version !== tokenVersion) throw unauthorized('invalid_token')
  return user
}

/**
 * Refuses a key's token what only a person may do. On an unclaimed account there is no owner to protect.
 * @param user the account; in a write, the locked row
 * @throws {ApiError} `SIGN_IN_REQUIRED`
 */
export function requirePersonIfClaimed({ apiKeyId }: Caller, user: Pick<User, 'claimed_at_ms'>): void {
  if (apiKeyId !== null && user.claimed_at_ms !== null) throw new ApiError('SIGN_IN_REQUIRED')
}

/**
 * Only the owner lets apps in: neither a key's token, nor a Google sign-in on an account whose address is not proven.
 * @throws {ApiError} `SIGN_IN_REQUIRED`
 */
export function requireOwner({ apiKeyId, account }: Caller): void {
  if (apiKeyId !== null) throw new ApiError('SIGN_IN_REQUIRED')
  requireProven(account)
}

/**
 * Refuses what only the holder of the address may do: a Google sign-in need not prove the address.
 * @throws {ApiError} `SIGN_IN_REQUIRED`
 */
export function requireProven({ claimed_at_ms: claimedAtMs }: Pick<User, 'claimed_at_ms'>): void {
  if (claimedAtMs !== null) return
  const message = 'The address of this account is not proven yet. Sign in by magic link first.'
  throw new ApiError('SIGN_IN_REQUIRED', { message })
}

/**
 * Refuses a caller whose token was revoked since the guard, for answers that take long to make.
 * @throws {ApiError} `UNAUTHORIZED`
 */
export async function requireValidToken(
  { config, db, clock }: Pick<DomainDeps, 'config' | 'db' | 'clock'>,
  caller: Caller,
): Promise<void> {
  const nowMs = clock.now()
  if (!isTokenStateValid(config, caller, await findTokenState(db, { ...idsOf(caller), nowMs }), nowMs))
    throw unauthorized('invalid_token')
}

/** Maximum age of a sign-in that may change how the account is signed in to. */
const SIGNED_IN_WITHIN_MS = 10 * 60_000

/**
 * Requires a token from a recent sign-in by a person: a stolen token, which lives for days, must not suffice to add a
 * way to sign in or to take the account away.
 * @returns the id of the sign-in
 * @throws {ApiError} `SIGN_IN_REQUIRED`
 */
export function requireRecentSignIn({ signInId, issuedAtSeconds, account }: Caller, nowMs: number): string {
  // A change of the address issues another token of the same sign-in.
  const signedInAtMs = account.signed_in_at_ms ?? issuedAtSeconds * 1000
  if (signInId !== null && signedInAtMs + SIGNED_IN_WITHIN_MS > nowMs) return signInId
  const message =
    'This endpoint requires a token from a magic-link or Google sign-in in the last ten minutes. Sign in again.'
  throw new ApiError('SIGN_IN_REQUIRED', { message })
}

/**
 * Runs a write that depends on the caller's token: locks the user's row and checks the token's state again in the
 * transaction. A revocation between the guard and this write wins.
 * @param options `lockBefore`: takes locks that come before the user's (docs/decisions/0016); `endsToken`: the write
 * revokes the caller's own token, and waits for no other write of that token; `isRevocation`: the write ends access, and
 * succeeds on a full disk too
 * @throws {ApiError} `UNAUTHORIZED` when the token was revoked meanwhile, `UNAVAILABLE` when too many writes of this
 * user are queued; nothing is written
 */
export async function withAuthority<T>(
  deps: DomainDeps,
  caller: Caller,
  write: (trx: Transaction, user: User) => Promise<T>,
  { lockBefore, endsToken = false, isRevocation = false }: AuthorityOptions = {},
): Promise<T> {
  // Fair between key families and sign-ins: a flood with a stolen key's token cannot keep the owner from revoking it.
  const contention = {
    subject: caller.userId,
    caller: endsToken ? 'ends its token' : (familyIdOf(caller) ?? caller.signInId ?? ''),
    locksBefore: lockBefore !== undefined,
  }
  try {
    return await deps.db.transaction(
      async (trx) => {
        await lockBefore?.(trx)
        const user = await lockUser(trx, 'id', caller.userId)
        const nowMs = deps.clock.now()
        const state = await findTokenState(trx, { ...idsOf(caller), nowMs })
        if (user === undefined || !isTokenStateValid(deps.config, caller, state, nowMs))
          throw unauthorized('invalid_token')
        const restrictions = parseRestrictions(state.effective_restrictions)
        if (caller.scope !== null && !hasScope(restrictions, caller.scope)) throw insufficientScope(caller.scope)
        return write(trx, user)
      },
      { contention, isRevocation },
    )
  } catch (error) {
    if (!(error instanceof ContentionTimeoutError)) throw error
    const message = 'Too many writes to this account are in progress. Try again shortly.'
    throw new ApiError('UNAVAILABLE', { message, headers: { 'retry-after': '1' }, cause: error })
  }
}

type AuthorityOptions = Readonly<{
  lockBefore?: (trx: Transaction) => Promise<void>
  endsToken?: boolean
  isRevocation?: boolean
}>

const idsOf = ({ userId, apiKeyId, signInId }: Caller) => ({ userId, apiKeyId, signInId })

/**
 * The id of a token's sign-in, null for a token of a key. Tokens of earlier versions have no `sid`: their `jti` stands
 * for a sign-in without a row, which gets one when it is ended.
 */
export function signInIdOf({ apiKeyId, sid, jti }: Pick<AccessTokenClaims, 'apiKeyId' | 'sid' | 'jti'>): string | null {
  return apiKeyId === undefined ? (sid ?? jti) : null
}

/** Whether the current state of a token's user, and of its key or sign-in, still permits it. */
export function isTokenStateValid(
  config: Config,
  token: Readonly<{ role: string; tokenVersion: number; apiKeyId?: string | null; sid?: string | undefined }>,
  state: TokenState | undefined,
  nowMs: number,
): state is TokenState {
  if (state?.token_version !== token.tokenVersion || state.role !== token.role) return false
  if (state.disabled_at_ms !== null) return false
  if ((token.apiKeyId ?? null) !== null) return state.key !== null && statusOf(state, nowMs) === 'ACTIVE'
  if (state.sign_in === null) return token.sid === undefined
  return state.ended_at_ms === null && (state.last_seen_at_ms ?? 0) > idleSinceMs(config, nowMs)
}
