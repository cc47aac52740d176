/** A token bucket in memory: a burst, then an even refill, where a fixed window would leave a long gap. */
import type { Clock } from '../../lib/clock.ts'
import type { Rate } from '../../config/parsers.ts'

/** What taking one from a bucket came to. */
export type BucketAnswer = Readonly<{
  isAllowed: boolean
  /** How many more could be taken now. */
  remaining: number
  /** Milliseconds until one more can be taken than now. */
  msBeforeNext: number
}>

/** Buckets by key; a full bucket takes no memory. */
export type TokenBucket = Readonly<{
  /** Whether one could be taken; takes none. */
  look(key: string): BucketAnswer
  take(key: string): BucketAnswer
}>

/** What is said of a bucket. @param emptiness how many are missing in it, and of the next a part */
export function bucketAnswer(rate: Rate, isAllowed: boolean, emptiness: number): BucketAnswer {
  const refillMs = (rate.seconds * 1000) / rate.count
  const remaining = Math.floor(rate.count - emptiness)
  return { isAllowed, remaining, msBeforeNext: (remaining + 1 - (rate.count - emptiness)) * refillMs }
}

/** Buckets that hold `rate.count` and refill as many, evenly, in `rate.seconds`. */
export function createTokenBucket(rate: Rate, clock: Clock): TokenBucket {
  const refillMs = (rate.seconds * 1000) / rate.count
  // When each bucket will be full again (the "theoretical arrival time" of GCRA).
  const fullAtMs = new Map<string, number>()

  // Full buckets are let go while others are taken from, a few at a time.
  function letGoOfFull(nowMs: number): void {
    let looked = 0
    for (const [key, atMs] of fullAtMs) {
      if (atMs <= nowMs) fullAtMs.delete(key)
      if (++looked === 4) return
    }
  }

  function emptinessOf(key: string, nowMs: number): number {
    const untilFullMs = Math.max(0, (fullAtMs.get(key) ?? 0) - nowMs)
    const longestMs = rate.count * refillMs
    if (untilFullMs <= longestMs) return untilFullMs / refillMs
    // The clock was set back: the bucket is empty, and must not stay so until the clock is where it was.
    fullAtMs.set(key, nowMs + longestMs)
    return rate.count
  }

  return {
    look(key) {
      const emptiness = emptinessOf(key, clock.now())
      return bucketAnswer(rate, emptiness + 1 <= rate.count, emptiness)
    },
    take(key) {
      const nowMs = clock.now()
      letGoOfFull(nowMs)
      const emptiness = emptinessOf(key, nowMs)
      if (emptiness + 1 > rate.count) return bucketAnswer(rate, false, emptiness)
      fullAtMs.delete(key)
      fullAtMs.set(key, nowMs + (emptiness + 1) * refillMs)
      return bucketAnswer(rate, true, emptiness + 1)
    },
  }
}
