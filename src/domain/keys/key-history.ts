/** Bounds an account's key history (docs/decisions/0032); the descent of deleted keys stays known. */
import { MIN_EVENTS_KEEP_DAYS } from '../../config/settings.ts'
import type { Database, Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS, nextTurn } from '../../lib/clock.ts'
import { findIdentitiesOf } from '../google/identity-store.ts'
import {
  countMakers,
  deleteMakers,
  deleteUnneededKept,
  findKeysMadeBy,
  findMakersOfKeys,
  findMakersUpToBound,
  MAX_MAKERS,
  recordMaker,
} from './key-maker-store.ts'
import type { KeyMaker } from './key-maker-store.ts'
import { countKeys, deleteKeys, findFirstEnded } from './key-end-store.ts'
import { bridgeDescent } from './key-descent.ts'
import { handDown } from './restrictions/restriction-descent.ts'
import type { ApiKey } from './key-store.ts'
import { deactivateLinksOfKeys } from '../payment-links/payment-link-end-store.ts'
import { lockUser } from '../users/user-store.ts'

/** Live and ended keys of one account. */
export const MAX_KEYS_ON_RECORD = 1000
/** Headroom below the bounds for concurrent callers. */
const HEADROOM = 50
/** Keys, makers and payment links per transaction, so that one takes a few milliseconds. */
const KEYS_AT_ONCE = 20
const MAKERS_AT_ONCE = 100
const LINKS_AT_ONCE = 200
/** Bound on transactions per new key; an account from before the bounds needs many calls. */
const MAX_STEPS = 4
/** Bound on transactions per request that reads all keys: a few seconds, even on a busy machine. */
export const MAX_STEPS_PER_REQUEST = 300

/** Longer than the seven days for which a mail's button needs exact times. */
const EXACT_FOR_MS = 8 * DAY_MS
/** Longer than a button and a sign-in live together: no button needs an earlier sign-in, or a key that ended earlier. */
export const SIGN_INS_KEPT_MS = MIN_EVENTS_KEEP_DAYS * DAY_MS

export type HistoryDeps = Readonly<{ db: Database; clock: Clock }>

/**
 * `maxSteps`: bound on transactions, each of which takes a few milliseconds. `isRevocation`: a revocation waits for it.
 */
type TrimOptions = Readonly<{ maxSteps?: number; isRevocation?: boolean }>

/** Whether the history is full and contains no ended key to delete. The caller holds the user's lock. */
export async function isKeyHistoryFull(trx: Transaction, userId: string, nowMs: number): Promise<boolean> {
  if ((await countKeys(trx, userId, MAX_KEYS_ON_RECORD)) < MAX_KEYS_ON_RECORD) return false
  return (await findFirstEnded(trx, userId, { expiredUntilMs: nowMs }, 1)).length === 0
}

/** Makes room for a new key or a rotation, as far as a few short transactions can. */
export async function makeRoomForKey(deps: HistoryDeps, userId: string): Promise<void> {
  await shorten(deps, userId, { maxSteps: MAX_STEPS })
}

/**
 * Brings an account from before the bounds within them; does nothing to any other account.
 */
export async function trimKeyHistory(deps: HistoryDeps, userId: string, options: TrimOptions = {}): Promise<void> {
  await shorten(deps, userId, options)
}

/**
 * Like `trimKeyHistory`, for a caller that cannot continue otherwise.
 * @throws {ApiError} `UNAVAILABLE` while more is left; the next call continues
 */
export async function requireTrimmedKeyHistory(
  deps: HistoryDeps,
  userId: string,
  { isRevocation = false }: TrimOptions = {},
): Promise<void> {
  if (await shorten(deps, userId, { maxSteps: MAX_STEPS_PER_REQUEST, isRevocation })) return
  const message = 'The key history of this account is being compacted. Try again shortly.'
  throw new ApiError('UNAVAILABLE', { message, headers: { 'retry-after': '1' } })
}

/**
 * Deletes some keys that ended long ago, in one short transaction; between living keys descent stays exact.
 * @param untilMs at least `SIGN_INS_KEPT_MS` ago
 * @returns whether something was done
 */
export function forgetEndedKeys({ db, clock }: HistoryDeps, userId: string, untilMs: number): Promise<boolean> {
  return db.transaction(async (trx) => {
    if ((await lockUser(trx, 'id', userId)) === undefined) return false
    const nowMs = clock.now()
    const until = { expiredUntilMs: untilMs, revokedUntilMs: untilMs }
    const found = await findFirstEnded(trx, userId, until, KEYS_AT_ONCE)
    if (found.length === 0) return false
    if (await deactivateLinksOfWaiting(trx, found, nowMs)) return true
    const ended = await handDown(trx, userId, found)
    if (!(await bridgeDescent(trx, userId, ended))) return deleteFirstEnded(trx, userId, nowMs, untilMs)
    await deleteKeys(trx, ended)
    await deleteUnneededKept(
      trx,
      ended.map(({ id }) => id),
    )
    return true
  })
}

/** @returns whether nothing is left to do */
async function shorten(
  { db, clock }: HistoryDeps,
  userId: string,
  { maxSteps = Infinity, isRevocation }: TrimOptions,
): Promise<boolean> {
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const exceeded = await exceededBound(db, userId)
    if (exceeded === undefined) return true
    const step = async (trx: Transaction) => {
      if ((await lockUser(trx, 'id', userId)) === undefined) return false
      const nowMs = clock.now()
      if (exceeded === 'keys') return deleteFirstEnded(trx, userId, nowMs)
      return (
        (await mergeMakers(trx, userId, nowMs, nowMs - EXACT_FOR_MS)) ||
        (await deleteFirstEnded(trx, userId, nowMs)) ||
        (await mergeMakers(trx, userId, nowMs, Infinity))
      )
    }
    if (!(await db.transaction(step, { isRevocation }))) return true
    await nextTurn()
  }
  return false
}

async function exceededBound(db: Database, userId: string): Promise<'keys' | 'makers' | undefined> {
  const maxKeys = MAX_KEYS_ON_RECORD - HEADROOM
  if ((await countKeys(db, userId, maxKeys + 1)) > maxKeys) return 'keys'
  const maxMakers = MAX_MAKERS - HEADROOM
  return (await countMakers(db, userId, maxMakers + 1)) > maxMakers ? 'makers' : undefined
}

/**
 * A crash between two steps only leaves more to do: each step leaves a consistent state.
 * @param untilMs only keys that ended until then; absent: any
 * @returns whether something was done
 */
async function deleteFirstEnded(trx: Transaction, userId: string, nowMs: number, untilMs?: number): Promise<boolean> {
  const until = untilMs === undefined ? { expiredUntilMs: nowMs } : { expiredUntilMs: untilMs, revokedUntilMs: untilMs }
  const found = await findFirstEnded(trx, userId, until, KEYS_AT_ONCE)
  if (found.length === 0) return false
  if (await deactivateLinksOfWaiting(trx, found, nowMs)) return true
  const ended = await handDown(trx, userId, found)
  const ids = ended.map(({ id }) => id)
  const deleted = new Set(ids)
  const makers = await findMakersOfKeys(trx, ids, ['created', 'rotated', 'widened'], MAKERS_AT_ONCE)
  const made = await findKeysMadeBy(trx, userId, ids, MAKERS_AT_ONCE)
  await replaceByAccount(trx, userId, deleted, [...makers, ...made])
  await deleteMakers(
    trx,
    [...makers, ...made].map(({ id }) => id),
  )
  if (makers.length === MAKERS_AT_ONCE || made.length === MAKERS_AT_ONCE) {
    await connectToAccount(trx, userId, ids, nowMs)
    return true
  }
  await replaceByAccount(trx, userId, deleted, await findMakersOfKeys(trx, ids, ['kept'], MAKERS_AT_ONCE))
  await recordDeletion(trx, userId, nowMs)
  await deleteKeys(trx, ended)
  await deleteUnneededKept(trx, ids)
  return true
}

// Nobody can keep a key that ended while it awaited the owner, so its payment links stay held. Without its row nothing
// would hold them: they are deactivated. Returns whether more are left.
async function deactivateLinksOfWaiting(trx: Transaction, ended: readonly ApiKey[], nowMs: number): Promise<boolean> {
  const waiting = ended.filter((key) => key.awaits_owner_at_ms !== null).map(({ id }) => id)
  return (await deactivateLinksOfKeys(trx, waiting, nowMs, LINKS_AT_ONCE)) === LINKS_AT_ONCE
}

// The account's id stands for all deleted keys, so that descent through any of them stays known. This can make too many
// keys await the owner, never too few.
async function replaceByAccount(
  trx: Transaction,
  userId: string,
  deleted: ReadonlySet<string>,
  rows: readonly KeyMaker[],
): Promise<void> {
  for (const row of rows) {
    const maker = row.maker_key_id !== null && deleted.has(row.maker_key_id) ? userId : row.maker_key_id
    const key = deleted.has(row.key_id) ? userId : row.key_id
    if (key === userId && maker === userId) continue
    await recordMaker(trx, { ...row, key_id: key, maker_key_id: maker }, row.at_ms, row.last_at_ms ?? row.at_ms)
  }
}

// Keeps descent complete while only some rows have the account's id. The next step deletes these rows.
async function connectToAccount(
  trx: Transaction,
  userId: string,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  const maker = { user_id: userId, how: 'created', sign_in_id: null } as const
  for (const id of ids) {
    await recordMaker(trx, { ...maker, key_id: userId, maker_key_id: id }, nowMs)
    await recordMaker(trx, { ...maker, key_id: id, maker_key_id: userId }, nowMs)
  }
}

// Also for keys without a known maker: a restore must know that keys were deleted (restore/take-over.ts).
async function recordDeletion(trx: Transaction, userId: string, nowMs: number): Promise<void> {
  await recordMaker(
    trx,
    { user_id: userId, key_id: userId, how: 'created', maker_key_id: null, sign_in_id: null },
    nowMs,
  )
}

/**
 * Merges old rows about the same action by the same maker. A merged row only gives a range of time, which can make too
 * many keys await the owner, never too few.
 * @returns whether something was done
 */
async function mergeMakers(trx: Transaction, userId: string, nowMs: number, beforeMs: number): Promise<boolean> {
  const connectedBy = new Set((await findIdentitiesOf(trx, userId)).map(({ sign_in_id: id }) => id))
  const signInOf = ({ last_at_ms: lastAtMs, at_ms: atMs, sign_in_id: id }: KeyMaker) =>
    (lastAtMs ?? atMs) >= nowMs - SIGN_INS_KEPT_MS || connectedBy.has(id ?? '') ? id : null
  const old = (await findMakersUpToBound(trx, userId)).filter((row) => (row.last_at_ms ?? row.at_ms) < beforeMs)
  const alike = Map.groupBy(old, (row) => [row.key_id, row.how, row.maker_key_id, signInOf(row)].join(' '))
  let merged = 0
  for (const all of alike.values()) {
    const some = all.slice(0, MAKERS_AT_ONCE)
    const [first] = some
    if (first === undefined || some.length < 2 || merged >= MAKERS_AT_ONCE) continue
    await deleteMakers(
      trx,
      some.map(({ id }) => id),
    )
    const untilMs = Math.max(...some.map((row) => row.last_at_ms ?? row.at_ms))
    await recordMaker(trx, { ...first, sign_in_id: signInOf(first) }, first.at_ms, untilMs)
    merged += some.length
  }
  return merged > 0
}
