/**
 * Runs work on the same subject one at a time, with round-robin among callers. Concurrent writes of one user hold one
 * database connection, and an attacker's writes do not delay the owner (docs/decisions/0036).
 */
import { later } from './clock.ts'

/** Earlier work took too long; this work did not start. */
export class ContentionTimeoutError extends Error {
  constructor() {
    super('timed out waiting for earlier writes')
    this.name = 'ContentionTimeoutError'
  }
}

/**
 * Runs `work` when no other work on `subject` runs. A thousand calls of one caller delay another caller by one of them.
 * @throws {ContentionTimeoutError}
 */
export type FairQueue = <T>(subject: string, caller: string, work: () => Promise<T>) => Promise<T>

/** @param timeoutMs from the call to the start of its work */
export function createFairQueue(timeoutMs: number): FairQueue {
  // Per line, the end of its last work.
  const ends = new Map<string, Promise<void>>()

  function inLine<T>(line: string, late: Promise<never>, work: () => Promise<T>): Promise<T> {
    const before = ends.get(line)
    const done = Promise.race([before, late]).then(work)
    // Work that timed out keeps its place, so later work cannot overtake what is before it.
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
    // At most one call per caller waits in the subject's line, so the next one belongs to another caller.
    return inLine(`${subject} ${caller}`, late, () => inLine(subject, late, begin))
  }
}
