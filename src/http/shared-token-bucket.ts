/** A token bucket that all processes take from: kept in the database, and in memory while that is away. */
import type { Clock } from '../lib/clock.ts'
import type { Rate } from '../lib/setting-parsers.ts'
import { bucketAnswer, createTokenBucket } from './token-bucket.ts'
import type { BucketAnswer } from './token-bucket.ts'

/** Where the buckets are kept. */
export type BucketStore = Readonly<{
  /** When a bucket is full again, in milliseconds since the epoch. */
  find(key: string): Promise<number | undefined>
  /** Takes one; `undefined`: there was none to take. */
  take(key: string, at: Readonly<{ nowMs: number; refillMs: number; longestMs: number }>): Promise<number | undefined>
  /** Makes a bucket full by then at the latest. */
  empty(key: string, fullAtMs: number): Promise<void>
}>

/** Buckets as `createTokenBucket` makes them, for all processes. */
export type SharedTokenBucket = Readonly<{
  look(key: string): Promise<BucketAnswer>
  take(key: string): Promise<BucketAnswer>
}>

/** Makes the buckets. */
export function createSharedTokenBucket(rate: Rate, clock: Clock, store: BucketStore): SharedTokenBucket {
  const refillMs = Math.ceil((rate.seconds * 1000) / rate.count)
  const longestMs = rate.count * refillMs
  const inMemory = createTokenBucket(rate, clock)

  async function emptinessOf(key: string, nowMs: number): Promise<number> {
    const untilFullMs = Math.max(0, ((await store.find(key)) ?? 0) - nowMs)
    if (untilFullMs <= longestMs) return untilFullMs / refillMs
    // The clock was set back: the bucket is empty, and must not stay so until the clock is where it was.
    await store.empty(key, nowMs + longestMs)
    return rate.count
  }

  async function take(key: string): Promise<BucketAnswer> {
    const nowMs = clock.now()
    const fullAtMs = await store.take(key, { nowMs, refillMs, longestMs })
    if (fullAtMs !== undefined) return bucketAnswer(rate, true, (fullAtMs - nowMs) / refillMs)
    return bucketAnswer(rate, false, await emptinessOf(key, nowMs))
  }

  async function look(key: string): Promise<BucketAnswer> {
    const emptiness = await emptinessOf(key, clock.now())
    return bucketAnswer(rate, emptiness + 1 <= rate.count, emptiness)
  }

  return {
    // A limit that cannot be counted in common must neither refuse everybody nor let everything through.
    look: (key) => look(key).catch(() => inMemory.look(key)),
    take: (key) => take(key).catch(() => inMemory.take(key)),
  }
}
