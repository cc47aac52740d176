/** Failures and limit hits on known accounts: noted in memory and written behind as security events. */
import type { Database, Transaction } from '../../database/database.ts'
import { nextTurn } from '../../lib/clock.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Random } from '../../lib/random.ts'
import { RateLimitedError } from '../../errors.ts'
import { clientNetwork } from '../../lib/network.ts'
import { addTimes, findEventsBetween, insertEvent } from './event-store.ts'
import type { SecurityEvent } from './event-store.ts'
import { failureTypes } from './security-events.ts'
import { findKeyForExchange } from '../keys/key-store.ts'
import { findUser, findUserByEmail, lockUser } from '../users/user-store.ts'

/** How often what is noted is written, in milliseconds. */
const WRITE_EVERY_MS = 5000
/** How many different failures are held at most; what comes on top is only counted by the rate limits. */
const MOST_HELD = 10_000
/** How many are written in one transaction. */
const BATCH = 25
/** Failures of an account within this time that are alike are one event, in milliseconds. */
const MERGED_WITHIN_MS = 3_600_000
/** How many events of failures an account gets in that time; what comes on top is one more of each type. */
const MOST_APART = 50
/** Limits of a client's own, whoever it calls for: with invented ids one client could crowd out all else. */
const LIMITS_OF_CLIENTS: ReadonlySet<string> = new Set(['request-client', 'exchange-failures-client'])

/** A failure, and how to find its account, if there is one: nobody has looked yet. */
export type Failure = Readonly<{
  type: (typeof failureTypes)[number]
  /** An empty value: there is no account, which is known without a look. */
  who: Readonly<{ by: 'id' | 'email' | 'keyId'; value: string }>
  /** The client's network. */
  client: string
  detail?: string
}>

/**
 * Notes failures. Whether there is an account is looked up when they are written, not when they
 * happen: otherwise the time of an answer would tell it.
 */
export type FailureLog = Readonly<{
  note(failure: Failure): void
  /** Writes what is noted and not written yet. */
  flush(): Promise<void>
  /** Writes for the last time. */
  close(): Promise<void>
}>

type Held = Readonly<{ failure: Failure; atMs: number; times: number }>

/** A failure of an account that is there. */
type Found = Held & Readonly<{ userId: string; apiKeyId: string | null }>

type Deps = Readonly<{ db: Database; clock: Clock; random: Random; log: Log }>

/** Starts writing behind, every five seconds. */
export function createFailureLog({ db, clock, random, log }: Deps): FailureLog {
  const held = new Map<string, Held>()

  async function flush(): Promise<void> {
    const failures = [...held.values()]
    held.clear()
    // In several transactions and turns, so that nobody waits for all of it.
    for (let done = 0; done < failures.length; done += BATCH) {
      if (done > 0) await nextTurn()
      await write(failures.slice(done, done + BATCH))
    }
  }

  async function write(failures: readonly Held[]): Promise<void> {
    await db.transaction(async (trx) => {
      const found: Found[] = []
      for (const failed of failures) {
        const account = await findAccount(trx, failed.failure.who)
        if (account !== undefined) found.push({ ...failed, ...account })
      }
      // In one order, so that two processes never wait for each other.
      const byUser = Map.groupBy(found.toSorted(byUserId), ({ userId }) => userId)
      for (const [userId, ofUser] of byUser) {
        const user = await lockUser(trx, 'id', userId)
        // Deleted since it was found.
        if (user === undefined || user.deleted_at_ms !== null) continue
        const byHour = Map.groupBy(ofUser, ({ atMs }) => atMs - (atMs % MERGED_WITHIN_MS))
        for (const [fromMs, ofHour] of byHour) await merge(trx, userId, fromMs, ofHour)
      }
    })
  }

  // Anybody can cause failures: without a bound, a stranger with many networks buries what matters.
  async function merge(trx: Transaction, userId: string, fromMs: number, failures: readonly Found[]): Promise<void> {
    const span = { fromMs, beforeMs: fromMs + MERGED_WITHIN_MS }
    const stored = await findEventsBetween(trx, userId, failureTypes, span)
    const ids = new Set(stored.map(({ id }) => id))
    const events = new Map(stored.map((event) => [sameness(event), { event, more: 0 }]))
    let apart = stored.filter(({ client }) => client !== null).length
    for (const failure of failures) {
      let event = toEvent(failure)
      if (!events.has(sameness(event))) {
        if (apart < MOST_APART) apart += 1
        else event = { ...event, client: null, api_key_id: null, detail: null }
      }
      const known = events.get(sameness(event)) ?? { event, more: 0 }
      events.set(sameness(event), { ...known, more: known.more + failure.times })
    }
    for (const { event, more } of events.values()) {
      if (!ids.has(event.id)) await insertEvent(trx, { ...event, times: more })
      else if (more > 0) await addTimes(trx, event.id, more)
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
    detail: failure.detail ?? null,
    times,
  })

  // What cannot be written is lost, not retried: a database that is away must not fill the memory.
  const flushOrLog = () => flush().catch((err: unknown) => log.warn({ err }, 'failures not written'))

  const repeated = repeat(WRITE_EVERY_MS, flushOrLog)

  return {
    note(failure) {
      if (failure.who.value === '') return
      const key = JSON.stringify([failure.type, failure.who, failure.client, failure.detail])
      const known = held.get(key)
      if (known === undefined && held.size >= MOST_HELD) return
      held.set(key, { failure, atMs: known?.atMs ?? clock.now(), times: (known?.times ?? 0) + 1 })
    },
    flush,
    async close() {
      await repeated.stop()
      await flushOrLog()
    },
  }
}

/**
 * For `rateLimits.count(…).catch`: notes which limit refused, if it is the account's, and throws on.
 * @param who the account whose limit it is
 */
export function noteLimitHit(failureLog: FailureLog, { ip }: Readonly<{ ip: string }>, who: Failure['who']) {
  return (error: unknown): never => {
    if (error instanceof RateLimitedError && !LIMITS_OF_CLIENTS.has(error.limit)) {
      failureLog.note({ type: 'limit_hit', who, client: clientNetwork(ip), detail: error.limit })
    }
    throw error
  }
}

const byUserId = (one: Found, other: Found): number => (one.userId < other.userId ? -1 : 1)

/** What events of one account and hour must have in common to be one. */
const sameness = ({ type, api_key_id, client, detail }: SecurityEvent): string =>
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
