import type { Clock } from '../../src/lib/clock.ts'

/** A clock that stands still until a test advances it. */
export type ManualClock = Clock & { advance(milliseconds: number): void }

/** Starts at the real time, so that it agrees with times the test computes. */
export function manualClock(startMs = Date.now()): ManualClock {
  let nowMs = startMs
  return {
    now: () => nowMs,
    advance: (milliseconds) => void (nowMs += milliseconds),
  }
}

/** Makes every reading of the clock a millisecond later than the last, as in a busy process. */
export function tick(clock: ManualClock): void {
  const { now } = clock
  Object.assign(clock, {
    now: () => {
      clock.advance(1)
      return now()
    },
  })
}
