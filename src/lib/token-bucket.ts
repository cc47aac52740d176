/** A token bucket (GCRA), stored as the time when it is full again. A bucket with no time, or a past one, is full. */

/** One take, as the times that memory and SQL compare and store; in whole milliseconds. */
export type Take = Readonly<{
  key: string
  nowMs: number
  /** The time to refill one token. */
  refillMs: number
  /** When a bucket that is empty at `nowMs` is full again. */
  emptyFullAtMs: number
  /** A take succeeds when the bucket is full at this time or earlier. */
  takenUntilMs: number
  /** The earliest full-at time of a bucket whose last token is taken at `nowMs`. */
  lastFullAtMs: number
}>

/** A bucket's full-at time before the take, and after it if the take succeeded. */
export type Taken = Readonly<{ foundMs: number; takenMs: number | undefined }>

export type BucketState = Readonly<{
  isAllowed: boolean
  remaining: number
  /** Milliseconds until `remaining` grows by one. */
  msBeforeNext: number
}>

/**
 * A take from a bucket of `rate.count` tokens, refilled evenly within `rate.seconds`.
 * @param options.needed tokens that must be available for a take of one
 * @param options.blockSeconds pause after the last token; refilling starts after it
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

/** The full-at time after the take; `undefined`: no token. rate-limit-store.ts has the same in SQL. */
export function fullAtAfter(
  { nowMs, refillMs, takenUntilMs, lastFullAtMs }: Take,
  foundMs: number,
): number | undefined {
  if (foundMs > takenUntilMs) return undefined
  const nextMs = Math.max(foundMs, nowMs) + refillMs
  return nextMs > takenUntilMs ? Math.max(nextMs, lastFullAtMs) : nextMs
}

/** The latest possible full-at time. A later stored time is from before the clock was set back. */
export function latestFullAt({ emptyFullAtMs, lastFullAtMs }: Take): number {
  return Math.max(emptyFullAtMs, lastFullAtMs)
}

/** The state after the take. */
export function stateOf(take: Take, { foundMs, takenMs }: Taken): BucketState {
  const fullAtMs = Math.max(takenMs ?? foundMs, take.nowMs)
  const remaining = Math.max(0, Math.floor((take.emptyFullAtMs - fullAtMs) / take.refillMs))
  const msBeforeNext = fullAtMs - take.emptyFullAtMs + (remaining + 1) * take.refillMs
  return { isAllowed: foundMs <= take.takenUntilMs, remaining, msBeforeNext }
}
