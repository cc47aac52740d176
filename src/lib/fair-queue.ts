/**
 * Runs work about the same subject one after the other, and gives its callers turns. What it buys: a crowd of writes of
 * one user holds one database connection, and a thief's writes do not keep the owner waiting (docs/decisions/0036).
 */
import { later } from './clock.ts'

/** The work before it took too long; nothing was done. */
export class ContentionTimeoutError extends Error {
  constructor() {
    super('timed out waiting for earlier writes')
    this.name = 'ContentionTimeoutError'
  }
}

/**
 * Runs `work` when nothing else about `subject` runs. A thousand calls of one caller make another wait for one of them.
 * @throws {ContentionTimeoutError}
 */
export type FairQueue = <T>(subject: string, caller: string, work: () => Promise<T>) => Promise<T>

/** @param timeoutMs how long a caller waits for its turn */
export function createFairQueue(timeoutMs: number): FairQueue {
  // When the last work of each line ends.
  const ends = new Map<string, Promise<void>>()

  function inLine<T>(line: string, late: Promise<never>, work: () => Promise<T>): Promise<T> {
    const before = ends.get(line)
    const done = Promise.race([before, late]).then(work)
    // Work that is late lets nobody overtake what is before it.
    const end = Promise.allSettled([before, done]).then(() => void (ends.get(line) === end && ends.delete(line)))
    ends.set(line, end)
    return done
  }

  return (subject, caller, work) => {
    const { promise: late, reject } = Promise.withResolvers<never>()
    late.catch(() => {})
    const stopWaiting = later(timeoutMs, () => reject(new ContentionTimeoutError()))
    const begin = () => {
      stopWaiting()
      return work()
    }
    // One of each caller at most stands in the subject's line, so the next in it is another caller's.
    return inLine(`${subject} ${caller}`, late, () => inLine(subject, late, begin))
  }
}
