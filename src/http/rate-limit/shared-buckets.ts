/** Token buckets that all processes share, in the database; while it is away, each process counts for itself. */
import { elapsedMs, nextTurn, sleep } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { TakeAll } from './memory-buckets.ts'

/** Timeout for the database, in milliseconds: what the call came for has to fail in time too. */
const COUNTED_WITHIN_MS = 400
/** How long the database is not asked again after a failure. */
const AWAY_FOR_MS = 1000

/** Where the processes share their buckets. */
export type SharedBuckets = Readonly<{
  /** Takes from all buckets in one round trip. */
  take: TakeAll
  log: Log
  countedWithinMs?: number | undefined
}>

/** Makes them. */
export function createSharedBuckets(
  { take, log, countedWithinMs = COUNTED_WITHIN_MS }: SharedBuckets,
  inMemory: TakeAll,
): TakeAll {
  let awayUntilMs = 0
  return async (takes) => {
    // Neither everybody is refused nor everything let through; and nobody waits for the database twice.
    if (elapsedMs() < awayUntilMs) return inMemory(takes)
    try {
      return await within(countedWithinMs, take(takes))
    } catch (err) {
      if (elapsedMs() >= awayUntilMs) {
        awayUntilMs = elapsedMs() + AWAY_FOR_MS
        log.warn({ err }, 'rate limits are counted in memory: the database did not count')
      }
      return inMemory(takes)
    }
  }
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const answered = new AbortController()
  // After a turn that took long the answer may be there, and just not be read yet.
  const late = sleep(milliseconds, answered.signal)
    .then(nextTurn)
    .then(() => {
      throw new Error(`no answer within ${milliseconds} ms`)
    })
  try {
    return await Promise.race([work, late])
  } finally {
    answered.abort()
  }
}
