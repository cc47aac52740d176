/** The only place that reads the clock and sets timers, so that tests can control time. */

export const DAY_MS = 24 * 3600 * 1000

export type Clock = Readonly<{
  /** Milliseconds since the Unix epoch. */
  now(): number
}>

export const systemClock: Clock = { now: () => Date.now() }

/** The day of a time, for example `2026-11-23`. */
export const utcDay = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10)

/** For example `2026-11-23T04:51:45.500Z`. */
export const toIso = (atMs: number): string => new Date(atMs).toISOString()
export const toIsoOrNull = (atMs: number | null): string | null => (atMs === null ? null : toIso(atMs))

/** Monotonic time, for measuring durations. */
export const elapsedMs = (): number => performance.now()

export const timeoutSignal = (milliseconds: number): AbortSignal => AbortSignal.timeout(milliseconds)

/**
 * Waits without keeping the process alive.
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

/** Waits and keeps the process alive. */
export const wait = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds))

/**
 * Runs `work` after a delay, and keeps the process alive until then.
 * @returns cancels it
 */
export function later(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds)
  return () => clearTimeout(timer)
}

/** Runs `work` at the end of this turn of the event loop. */
export const immediately = (work: () => void): void => void setImmediate(work)

/** Yields one turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve))
