/** A token bucket in memory: a burst, then an even refill, where a fixed window would leave a long gap. */
import type { Clock } from '../lib/clock.ts'
import type { Rate } from '../lib/setting-parsers.ts'

/** What taking one from a bucket came to. */
export type BucketAnswer = Readonly<{
  isAllowed: boolean
  /** How many more could be taken now. */
  remaining: number
  /** Milliseconds until one more can be taken than now. */
  msBeforeNext: number
}>

/** Buckets by key; a full bucket takes no memory. */
export type TokenBucket = Readonly<{ take(key: string): BucketAnswer }>

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

  return {
    take(key) {
      const nowMs = clock.now()
      letGoOfFull(nowMs)
      const emptiness = Math.max(0, (fullAtMs.get(key) ?? 0) - nowMs) / refillMs
      const isAllowed = emptiness + 1 <= rate.count
      const afterwards = isAllowed ? emptiness + 1 : emptiness
      if (isAllowed) {
        fullAtMs.delete(key)
        fullAtMs.set(key, nowMs + afterwards * refillMs)
      }
      const remaining = Math.floor(rate.count - afterwards)
      return { isAllowed, remaining, msBeforeNext: (remaining + 1 - (rate.count - afterwards)) * refillMs }
    },
  }
}
