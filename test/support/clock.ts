/** A clock that stands still until a test moves it. */
import type { Clock } from '../../src/lib/clock.ts'

/** A clock that tests move. */
export type ManualClock = Clock & { advance(milliseconds: number): void }

/** Starts at the real time, so that it agrees with what the test computes from it. */
export function manualClock(startMs = Date.now()): ManualClock {
  let nowMs = startMs
  return {
    now: () => nowMs,
    advance: (milliseconds) => void (nowMs += milliseconds),
  }
}

/** Lets a millisecond pass with every look at the clock, as between two lines of a busy process. */
export function tick(clock: ManualClock): void {
  const { now } = clock
  Object.assign(clock, {
    now: () => {
      clock.advance(1)
      return now()
    },
  })
}
