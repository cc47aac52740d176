/** Keeps the key history of an account short: the keys that ended first make room, and what they led to stays known. */
import type { Database, Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { nextTurn } from '../../lib/clock.ts'
import { findIdentitiesOf } from '../google/identity-store.ts'
import {
  countMakers,
  deleteMakers,
  findDeedsOfKeys,
  findMakersOfKeys,
  findMakersWithinBounds,
  MOST_MAKERS,
  recordDeed,
} from './key-maker-store.ts'
import type { KeyMaker } from './key-maker-store.ts'
import { countKeys, deleteKeys, findFirstEnded } from './key-end-store.ts'
import { deactivateLinksOfKeys } from '../payment-links/payment-link-store.ts'
import { lockUser } from '../users/user-store.ts'

/** How many keys of an account are on record, live and ended. */
export const MOST_KEYS_ON_RECORD = 1000
/** How much below the bounds there is room: callers who make keys at once each need some. */
const ROOM = 50
/** How many keys one transaction lets go, how many makers and how many payment links it rewrites, to take a few milliseconds. */
const KEYS_AT_ONCE = 20
const MAKERS_AT_ONCE = 100
const LINKS_AT_ONCE = 200
/** How many transactions a caller who makes one key pays for at most; an account from before the bounds needs many calls. */
const MOST_STEPS = 4
/** How many a request waits for that is about all keys: a few seconds, also on a busy machine. */
export const STEPS_OF_A_REQUEST = 300

const DAY_MS = 24 * 3600 * 1000
/** Older than what a button in a mail asks for the exact times of: it works for seven days. */
const EXACT_FOR_MS = 8 * DAY_MS
/** Longer than a button and a sign-in live together. */
const SIGN_INS_KEPT_MS = 30 * DAY_MS

type HistoryDeps = Readonly<{ db: Database; clock: Clock }>

/** Whether no further key fits, and none has ended that could make room. The caller holds the user's lock. */
export async function isKeyHistoryFull(trx: Transaction, userId: string, nowMs: number): Promise<boolean> {
  if ((await countKeys(trx, userId, MOST_KEYS_ON_RECORD)) < MOST_KEYS_ON_RECORD) return false
  return (await findFirstEnded(trx, userId, nowMs, 1)).length === 0
}

/** Makes room for a key, or for a rotation, as far as a few short transactions can. */
export async function makeRoomForKey(deps: HistoryDeps, userId: string): Promise<void> {
  await shorten(deps, userId, MOST_STEPS)
}

/**
 * Brings an account from before the bounds within them, in short turns; does nothing to any other.
 * @param mostSteps how far: each step takes a few milliseconds
 */
export async function bringWithinBounds(
  deps: HistoryDeps,
  userId: string,
  mostSteps: number = Infinity,
): Promise<void> {
  await shorten(deps, userId, mostSteps)
}

/**
 * The same for a caller that needs it within them.
 * @throws {ApiError} `UNAVAILABLE` while there is more to do: the next call goes on
 */
export async function requireWithinBounds(deps: HistoryDeps, userId: string): Promise<void> {
  if (await shorten(deps, userId, STEPS_OF_A_REQUEST)) return
  const message = 'The key history of this account is being shortened. Try again shortly.'
  throw new ApiError('UNAVAILABLE', { message, headers: { 'retry-after': '1' } })
}

/** @returns whether nothing more can be done */
async function shorten({ db, clock }: HistoryDeps, userId: string, mostSteps: number): Promise<boolean> {
  for (let step = 0; step < mostSteps; step += 1) {
    const long = await tooLong(db, userId)
    if (long === undefined) return true
    const went = await db.transaction(async (trx) => {
      if ((await lockUser(trx, 'id', userId)) === undefined) return false
      const nowMs = clock.now()
      if (long === 'keys') return letFirstEndedGo(trx, userId, nowMs)
      return (
        (await mergeMakers(trx, userId, nowMs, nowMs - EXACT_FOR_MS)) ||
        (await letFirstEndedGo(trx, userId, nowMs)) ||
        (await mergeMakers(trx, userId, nowMs, Infinity))
      )
    })
    if (!went) return true
    await nextTurn()
  }
  return false
}

async function tooLong(db: Database, userId: string): Promise<'keys' | 'makers' | undefined> {
  const mostKeys = MOST_KEYS_ON_RECORD - ROOM
  if ((await countKeys(db, userId, mostKeys + 1)) > mostKeys) return 'keys'
  const mostMakers = MOST_MAKERS - ROOM
  return (await countMakers(db, userId, mostMakers + 1)) > mostMakers ? 'makers' : undefined
}

/**
 * Lets some of the keys go that ended first (docs/decisions/0032). What each step leaves is sound: a crash between two of them
 * only leaves more to do.
 * @returns whether something was done
 */
async function letFirstEndedGo(trx: Transaction, userId: string, nowMs: number): Promise<boolean> {
  const ended = await findFirstEnded(trx, userId, nowMs, KEYS_AT_ONCE)
  if (ended.length === 0) return false
  const ids = ended.map(({ id }) => id)
  // Nobody can keep a key that ended while it waited: its payment links stay held for ever, and without its row by themselves.
  const waiting = ended.filter((key) => key.awaits_owner_at_ms !== null).map(({ id }) => id)
  const held = await deactivateLinksOfKeys(trx, waiting, nowMs, LINKS_AT_ONCE)
  if (held === LINKS_AT_ONCE) return true
  const gone = new Set(ids)
  const makers = await findMakersOfKeys(trx, ids, ['created', 'rotated'], MAKERS_AT_ONCE)
  const deeds = await findDeedsOfKeys(trx, userId, ids, MAKERS_AT_ONCE)
  await standIn(trx, userId, gone, [...makers, ...deeds])
  await deleteMakers(
    trx,
    [...makers, ...deeds].map(({ id }) => id),
  )
  if (makers.length === MAKERS_AT_ONCE || deeds.length === MAKERS_AT_ONCE) {
    await joinToStandIn(trx, userId, ids, nowMs)
    return true
  }
  // These stay: that a key was kept makes the payment links payable that it made before the claim.
  await standIn(trx, userId, gone, await findMakersOfKeys(trx, ids, ['kept'], MAKERS_AT_ONCE))
  await markGone(trx, userId, nowMs)
  await deleteKeys(trx, ids)
  return true
}

// The account's own id stands for all keys that went: who came from one of them is found through it, and so is who
// came from any of them. Too many keys wait for the owner rather than too few.
async function standIn(
  trx: Transaction,
  userId: string,
  gone: ReadonlySet<string>,
  rows: readonly KeyMaker[],
): Promise<void> {
  for (const row of rows) {
    const maker = row.maker_key_id !== null && gone.has(row.maker_key_id) ? userId : row.maker_key_id
    const key = gone.has(row.key_id) ? userId : row.key_id
    if (key === userId && maker === userId) continue
    await recordDeed(trx, { ...row, key_id: key, maker_key_id: maker }, row.at_ms, row.last_at_ms ?? row.at_ms)
  }
}

// While only some of the rows have the account's id: what came from one of these keys, and these from others, is found
// through both. Deleted with the next step, as deeds of the keys.
async function joinToStandIn(trx: Transaction, userId: string, ids: readonly string[], nowMs: number): Promise<void> {
  const deed = { user_id: userId, how: 'created', sign_in_id: null } as const
  for (const id of ids) {
    await recordDeed(trx, { ...deed, key_id: userId, maker_key_id: id }, nowMs)
    await recordDeed(trx, { ...deed, key_id: id, maker_key_id: userId }, nowMs)
  }
}

// Also of keys that nobody is known to have made: a restore must know that keys went (db/take-over.ts).
async function markGone(trx: Transaction, userId: string, nowMs: number): Promise<void> {
  await recordDeed(
    trx,
    { user_id: userId, key_id: userId, how: 'created', maker_key_id: null, sign_in_id: null },
    nowMs,
  )
}

/**
 * Merges some rows that are over and about the same deed of the same maker. One row says less: somebody did it between two
 * times, so that too many keys wait for the owner rather than too few.
 * @returns whether something was done
 */
async function mergeMakers(trx: Transaction, userId: string, nowMs: number, beforeMs: number): Promise<boolean> {
  const connectedBy = new Set((await findIdentitiesOf(trx, userId)).map(({ sign_in_id: id }) => id))
  const signInOf = ({ last_at_ms: lastAtMs, at_ms: atMs, sign_in_id: id }: KeyMaker) =>
    (lastAtMs ?? atMs) >= nowMs - SIGN_INS_KEPT_MS || connectedBy.has(id ?? '') ? id : null
  const old = (await findMakersWithinBounds(trx, userId)).filter((row) => (row.last_at_ms ?? row.at_ms) < beforeMs)
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
    await recordDeed(trx, { ...first, sign_in_id: signInOf(first) }, first.at_ms, untilMs)
    merged += some.length
  }
  return merged > 0
}
