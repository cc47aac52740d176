/** Failures and limit hits on known accounts: held in memory, written asynchronously as security events. */
import type { Database, Transaction } from '../../database/database.ts'
import { nextTurn, utcDay } from '../../lib/clock.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Random } from '../../lib/random.ts'
import { RateLimitedError } from '../../errors.ts'
import { clientNetwork } from '../../lib/network.ts'
import { incrementTimes, findEventsBetween, insertEvent } from './event-store.ts'
import type { SecurityEvent } from './event-store.ts'
import { failureTypes, sameOrNull } from './security-events.ts'
import type { EventSource } from './security-events.ts'
import { findKeyForExchange } from '../keys/key-exchange-store.ts'
import { addDailyUses } from '../keys/daily-uses/daily-use-store.ts'
import { findUser, findUserByEmail, lockUser } from '../users/user-store.ts'

const WRITE_EVERY_MS = 5000
/** Bound on distinct failures in memory; further ones are counted by the rate limits only. */
const MAX_HELD = 10_000
const BATCH = 25
/** Identical failures of an account in the same window are one event. */
const MERGED_WITHIN_MS = 3_600_000
/** Bound on an account's distinct events per window; further failures are merged into one event per type. */
const MAX_DISTINCT = 50
/** Limits that count a client, whichever account it names: with made-up ids one client could fill the log. */
const CLIENT_LIMITS: ReadonlySet<string> = new Set(['request-client', 'exchange-failures-client'])

export type Failure = Readonly<{
  type: (typeof failureTypes)[number]
  /** An empty `value` means that there is no account. */
  who: Readonly<{ by: 'id' | 'email' | 'keyId'; value: string }>
  client: string
  browser: string | null
  detail?: string
}>

/** Accounts are looked up when failures are written: response times must not reveal whether an account exists. */
export type FailureLog = Readonly<{
  note(failure: Failure): void
  flush(): Promise<void>
  /** Stops the timer and writes what is pending. */
  close(): Promise<void>
}>

type Held = Readonly<{ failure: Failure; atMs: number; times: number }>

type Found = Held & Readonly<{ userId: string; apiKeyId: string | null }>

type Deps = Readonly<{ db: Database; clock: Clock; random: Random; log: Log }>

export function createFailureLog({ db, clock, random, log }: Deps): FailureLog {
  const held = new Map<string, Held>()
  let lastFlush: Promise<void> = Promise.resolve()

  async function writeHeld(): Promise<void> {
    // Short transactions, with a turn of the event loop between them, so that other requests do not wait for all of it.
    for (let left = held.size; left > 0; left -= BATCH) {
      const batch = held.entries().take(BATCH).toArray()
      for (const [key] of batch) held.delete(key)
      await write(batch.map(([, failure]) => failure))
      await nextTurn()
    }
  }

  async function write(failures: readonly Held[]): Promise<void> {
    await db.transaction(async (trx) => {
      const found: Found[] = []
      for (const failed of failures) {
        const account = await findAccount(trx, failed.failure.who)
        if (account !== undefined) found.push({ ...failed, ...account })
      }
      // Sorted by user, so that two processes cannot deadlock.
      const byUser = Map.groupBy(found.toSorted(byUserId), ({ userId }) => userId)
      for (const [userId, ofUser] of byUser) {
        const user = await lockUser(trx, 'id', userId)
        // Deleted since the lookup.
        if (user === undefined) continue
        const byHour = Map.groupBy(ofUser, ({ atMs }) => atMs - (atMs % MERGED_WITHIN_MS))
        for (const [fromMs, ofHour] of byHour) await merge(trx, userId, fromMs, ofHour)
      }
      // After all users: keys are locked last.
      await addDailyUses(trx, refusalsOf(found))
    })
  }

  // Anybody can cause failures. Without a bound, a stranger with many networks could bury the events that matter.
  async function merge(trx: Transaction, userId: string, fromMs: number, failures: readonly Found[]): Promise<void> {
    const span = { fromMs, beforeMs: fromMs + MERGED_WITHIN_MS }
    const stored = await findEventsBetween(trx, userId, failureTypes, span)
    const ids = new Set(stored.map(({ id }) => id))
    const events = new Map(stored.map((event) => [mergeKey(event), { event, more: 0 }]))
    let distinct = stored.filter(({ client }) => client !== null).length
    for (const failure of failures) {
      let event = toEvent(failure)
      if (!events.has(mergeKey(event))) {
        if (distinct < MAX_DISTINCT) distinct += 1
        else event = { ...event, client: null, api_key_id: null, detail: null, browser: null }
      }
      const known = events.get(mergeKey(event)) ?? { event, more: 0 }
      const browser = sameOrNull(known.event.browser, event.browser)
      events.set(mergeKey(event), { event: { ...known.event, browser }, more: known.more + failure.times })
    }
    for (const { event, more } of events.values()) {
      if (!ids.has(event.id)) await insertEvent(trx, { ...event, times: more })
      else if (more > 0) await incrementTimes(trx, event.id, { more, browser: event.browser })
    }
  }

  const toEvent = ({ failure, atMs, times, userId, apiKeyId }: Found): SecurityEvent => ({
    id: random.uuid(),
    user_id: userId,
    type: failure.type,
    at_ms: atMs,
    client: failure.client,
    api_key_id: apiKeyId,
    by_api_key_id: null,
    sign_in_id: null,
    by_sign_in_id: null,
    detail: failure.detail ?? null,
    times,
    browser: failure.browser,
  })

  // One after the other: the caller of a flush may rely on all that was noted before it, also what the timer is writing.
  const flush = () => {
    lastFlush = lastFlush.then(writeHeld, writeHeld)
    return lastFlush
  }

  // A batch that cannot be written is dropped, and the others wait for the next flush: one attempt each time is enough
  // while the database is away, and what prevents one need not prevent the next.
  const flushOrLog = () => flush().catch((err: unknown) => log.warn({ err }, 'failures not written'))

  const repeated = repeat(WRITE_EVERY_MS, flushOrLog)

  return {
    note(failure) {
      if (failure.who.value === '') return
      const key = JSON.stringify([failure.type, failure.who, failure.client, failure.detail])
      const known = held.get(key)
      if (known === undefined && held.size >= MAX_HELD) return
      const browser = known === undefined ? failure.browser : sameOrNull(known.failure.browser, failure.browser)
      const times = (known?.times ?? 0) + 1
      held.set(key, { failure: { ...failure, browser }, atMs: known?.atMs ?? clock.now(), times })
    },
    flush,
    async close() {
      await repeated.stop()
      await flushOrLog()
    },
  }
}

/**
 * For `rateLimits.count(…).catch`: records a limit of the account that refused the call, and rethrows.
 * @param who the account that the limit belongs to
 */
export function noteLimitHit(failureLog: FailureLog, source: Pick<EventSource, 'ip' | 'browser'>, who: Failure['who']) {
  return (error: unknown): never => {
    if (error instanceof RateLimitedError && !CLIENT_LIMITS.has(error.limit)) {
      const { ip, browser } = source
      failureLog.note({ type: 'limit_hit', who, client: clientNetwork(ip), browser, detail: error.limit })
    }
    throw error
  }
}

function refusalsOf(found: readonly Found[]) {
  const refusals = found.flatMap(({ apiKeyId, atMs, times }) =>
    apiKeyId === null ? [] : [{ key_id: apiKeyId, day: utcDay(atMs), times }],
  )
  const byKeyAndDay = Map.groupBy(refusals, ({ key_id: id, day }) => `${id} ${day}`)
  return [...byKeyAndDay.values()].flatMap(([first, ...more]) => {
    if (first === undefined) return []
    const { times, ...use } = first
    return [{ ...use, exchanges: 0, refusals: more.reduce((sum, each) => sum + each.times, times) }]
  })
}

const byUserId = (one: Found, other: Found): number => (one.userId < other.userId ? -1 : 1)

/** Failures of one account and hour with the same key are merged. */
const mergeKey = ({ type, api_key_id, client, detail }: SecurityEvent): string =>
  JSON.stringify([type, api_key_id, client, detail])

async function findAccount(
  trx: Transaction,
  { by, value }: Failure['who'],
): Promise<Readonly<{ userId: string; apiKeyId: string | null }> | undefined> {
  if (by === 'keyId') {
    const key = await findKeyForExchange(trx, value)
    return key && { userId: key.user_id, apiKeyId: key.id }
  }
  const user = await (by === 'id' ? findUser(trx, value) : findUserByEmail(trx, value))
  return user && { userId: user.id, apiKeyId: null }
}
