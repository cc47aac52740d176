/** Time: the one place the wall clock is read and timers are set, so that tests can hold it. */

/** The clock everything else is given. */
export type Clock = Readonly<{
  /** Milliseconds since the Unix epoch. */
  now(): number
}>

/** The machine's wall clock. */
export const systemClock: Clock = { now: () => Date.now() }

/** Milliseconds since some moment, which setting the clock does not change: for how long something took. */
export const elapsedMs = (): number => performance.now()

/** A signal that aborts after so many milliseconds. */
export const timeoutSignal = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds)

/**
 * Waits, without keeping the process alive.
 * @param milliseconds how long
 * @param signal ends the wait early; the promise then resolves, it never rejects
 */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    timer.unref()
    signal.addEventListener('abort', done, { once: true })
  })
}

/** Waits, and keeps the process alive. */
export const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds))

/**
 * Does something after so many milliseconds, and keeps the process until then.
 * @returns calls it off
 */
export function later(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds)
  return () => clearTimeout(timer)
}

/** Does something when this turn of the event loop is over. */
export const immediately = (work: () => void): void => void setImmediate(work)

/** Lets whatever is waiting be done first: a turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
