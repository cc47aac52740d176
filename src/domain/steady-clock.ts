import type { Clock } from '../lib/clock.ts'

/** A clock that is corrected is corrected soon after the start. */
const STEADY_FOR_MS = 60 * 60 * 1000
/** Slewing and leap seconds are less. */
const MAX_DIFFERENCE_MS = 60_000

/**
 * A wrong clock makes live data look old. Returns whether the clock has kept pace with monotonic time for an hour and
 * agrees with the database's; call it every few minutes.
 * @param elapsed monotonic time, in milliseconds
 * @param serverTimeMs the database server's time; undefined when it has none
 */
export function watchClock(
  clock: Clock,
  elapsed: () => number,
  serverTimeMs: () => Promise<number | undefined>,
): () => Promise<boolean> {
  const difference = () => clock.now() - elapsed()
  let steadySinceMs = elapsed()
  let lastDifferenceMs = difference()
  return async () => {
    const differenceMs = difference()
    if (Math.abs(differenceMs - lastDifferenceMs) > MAX_DIFFERENCE_MS) steadySinceMs = elapsed()
    lastDifferenceMs = differenceMs
    if (elapsed() - steadySinceMs < STEADY_FOR_MS) return false
    const serverMs = await serverTimeMs()
    return serverMs === undefined || Math.abs(clock.now() - serverMs) <= MAX_DIFFERENCE_MS
  }
}
