/** Failures and limit hits on known accounts: noted in memory and written behind as security events. */
import type { FastifyRequest } from 'fastify'
import { inTransaction } from '../db/db.ts'
import type { Db, DbTransaction } from '../db/db.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import { repeat } from '../lib/repeat.ts'
import type { Random } from '../lib/random.ts'
import { RateLimitedError } from '../errors.ts'
import { clientNetwork } from '../lib/network.ts'
import { insertEvent } from './event-store.ts'
import type { EventType } from './events.ts'
import { findKeyForExchange } from './key-store.ts'
import { findUser, findUserByEmail } from './user-store.ts'

/** How often what is noted is written, in milliseconds. */
const WRITE_EVERY_MS = 5000
/** How many different failures are held at most; what comes on top is only counted by the rate limits. */
const MOST_HELD = 10_000
/** How many are written in one transaction. */
const BATCH = 500

/** A failure, and how to find its account, if there is one: nobody has looked yet. */
export type Failure = Readonly<{
  type: Extract<EventType, 'sign_in_refused' | 'exchange_refused' | 'limit_hit'>
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

type Deps = Readonly<{ db: Db; clock: Clock; random: Random; log: Log }>

/** Starts writing behind, every five seconds. */
export function createFailureLog({ db, clock, random, log }: Deps): FailureLog {
  const held = new Map<string, Held>()

  async function flush(): Promise<void> {
    const failures = [...held.values()]
    held.clear()
    // In several transactions, so that nobody waits for all of it.
    for (let done = 0; done < failures.length; done += BATCH) {
      await write(failures.slice(done, done + BATCH))
    }
  }

  async function write(failures: readonly Held[]): Promise<void> {
    await inTransaction(db, async (trx) => {
      for (const { failure, atMs, times } of failures) {
        const account = await findAccount(trx, failure.who)
        if (account === undefined) continue
        await insertEvent(trx, {
          id: random.uuid(),
          user_id: account.userId,
          type: failure.type,
          at_ms: atMs,
          client: failure.client,
          api_key_id: account.apiKeyId,
          by_api_key_id: null,
          detail: failure.detail ?? null,
          times,
        })
      }
    })
  }

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
 * For `rateLimits.count(…).catch`: notes which limit refused, and throws on.
 * @param who the account whose limit it is
 */
export function noteLimitHit(failureLog: FailureLog, { ip }: FastifyRequest, who: Failure['who']) {
  return (error: unknown): never => {
    if (error instanceof RateLimitedError) {
      failureLog.note({ type: 'limit_hit', who, client: clientNetwork(ip), detail: error.limit })
    }
    throw error
  }
}

async function findAccount(
  trx: DbTransaction,
  { by, value }: Failure['who'],
): Promise<Readonly<{ userId: string; apiKeyId: string | null }> | undefined> {
  if (by === 'keyId') {
    const key = await findKeyForExchange(trx, value)
    return key && { userId: key.user_id, apiKeyId: key.id }
  }
  const user = await (by === 'id' ? findUser(trx, value) : findUserByEmail(trx, value))
  return user && { userId: user.id, apiKeyId: null }
}
