/** A token bucket (GCRA): one time per key, when the bucket is full again. A bucket with no time, or a past one, is full. */

/** Taking a token, as the times that memory and SQL compare and store; all in whole milliseconds. */
export type Take = Readonly<{
  key: string
  nowMs: number
  /** How long one token takes to come back. */
  refillMs: number
  /** When a bucket is full that is empty now. */
  emptyFullAtMs: number
  /** A token can be taken from a bucket that is full by then. */
  takenUntilMs: number
  /** The earliest time at which a bucket is full whose last token is taken now. */
  lastFullAtMs: number
}>

/** A bucket's full-at time before the take, and after it if a token was taken. */
export type Taken = Readonly<{ foundMs: number; takenMs: number | undefined }>

/** What a caller is told. */
export type BucketState = Readonly<{
  isAllowed: boolean
  remaining: number
  /** Milliseconds until one more token can be taken than now. */
  msBeforeNext: number
}>

/**
 * A take from a bucket that holds `rate.count` tokens and refills as many, evenly, in `rate.seconds`.
 * @param options.needed how many tokens have to be there for one to be taken
 * @param options.blockSeconds how long nothing can be taken after the last token; then the refill begins
 */
export function takeOf(
  key: string,
  { count, seconds }: Readonly<{ count: number; seconds: number }>,
  nowMs: number,
  { needed = 1, blockSeconds = 0 }: Readonly<{ needed?: number; blockSeconds?: number }> = {},
): Take {
  const refillMs = Math.ceil((seconds * 1000) / count)
  const emptyFullAtMs = nowMs + count * refillMs
  const takenUntilMs = emptyFullAtMs - Math.min(needed, count) * refillMs
  return { key, nowMs, refillMs, emptyFullAtMs, takenUntilMs, lastFullAtMs: takenUntilMs + blockSeconds * 1000 }
}

/** The bucket's full-at time after the take; `undefined`: there is no token. rate-limit-store.ts has the same in SQL. */
export function fullAtAfter(
  { nowMs, refillMs, takenUntilMs, lastFullAtMs }: Take,
  foundMs: number,
): number | undefined {
  if (foundMs > takenUntilMs) return undefined
  const nextMs = Math.max(foundMs, nowMs) + refillMs
  return nextMs > takenUntilMs ? Math.max(nextMs, lastFullAtMs) : nextMs
}

/** The latest full-at time a bucket can have. A later one was stored before the clock was set back. */
export function latestFullAt({ emptyFullAtMs, lastFullAtMs }: Take): number {
  return Math.max(emptyFullAtMs, lastFullAtMs)
}

/** How the bucket stands after the take. */
export function stateOf(take: Take, { foundMs, takenMs }: Taken): BucketState {
  const fullAtMs = Math.max(takenMs ?? foundMs, take.nowMs)
  const remaining = Math.max(0, Math.floor((take.emptyFullAtMs - fullAtMs) / take.refillMs))
  const msBeforeNext = fullAtMs - take.emptyFullAtMs + (remaining + 1) * take.refillMs
  return { isAllowed: foundMs <= take.takenUntilMs, remaining, msBeforeNext }
}
