/** Token buckets shared by all processes, in the database; while it is unreachable, each process counts for itself. */
import { elapsedMs, nextTurn, sleep } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { BucketState, Take } from '../../lib/token-bucket.ts'
import type { TakeAll } from './memory-buckets.ts'

/** Short, because the call may then wait for the same unreachable database once more. */
const TIMEOUT_MS = 400
/** The pause after a failure before the database is used again. */
const RETRY_AFTER_MS = 1000

export type SharedBuckets = Readonly<{
  /** Takes from all buckets in one round trip. */
  take: (takes: readonly Take[]) => Promise<readonly BucketState[]>
  log: Log
  sharedBucketTimeoutMs?: number | undefined
}>

export function createSharedBuckets(
  { take, log, sharedBucketTimeoutMs = TIMEOUT_MS }: SharedBuckets,
  inMemory: TakeAll,
): TakeAll {
  let awayUntilMs = 0
  return async (takes) => {
    // Counting in memory neither refuses nor admits every call, and does not wait for the database again.
    if (elapsedMs() < awayUntilMs) return inMemory(takes)
    try {
      const states = await within(sharedBucketTimeoutMs, take(takes))
      // A database that counts a call seldom refuses it afterwards.
      return { states, giveBack() {} }
    } catch (err) {
      if (elapsedMs() >= awayUntilMs) {
        awayUntilMs = elapsedMs() + RETRY_AFTER_MS
        log.warn({ err }, 'the database does not answer: rate limits are counted in memory')
      }
      return inMemory(takes)
    }
  }
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const answered = new AbortController()
  // After a long turn of the event loop the answer may have arrived without having been read.
  const late = sleep(milliseconds, answered.signal)
    .then(nextTurn)
    .then(() => {
      throw new Error(`no answer from the database within ${milliseconds} ms`)
    })
  try {
    return await Promise.race([work, late])
  } finally {
    answered.abort()
  }
}
