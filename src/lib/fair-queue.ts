/** Runs work about the same subject one after the other, and gives its callers turns. */
import { sleep } from './clock.ts'

/** The work before it took too long; nothing was done. */
export class ContentionTimeoutError extends Error {
  constructor() {
    super('timed out waiting for earlier writes')
    this.name = 'ContentionTimeoutError'
  }
}

/**
 * Runs `work` when nothing else about `subject` runs. Its callers take turns: a thousand calls of one make another
 * wait for one of them.
 * @throws {ContentionTimeoutError}
 */
export type FairQueue = <T>(subject: string, caller: string, work: () => Promise<T>) => Promise<T>

type Waiting = Readonly<{ begin: AbortController }>

/** @param timeoutMs how long a caller waits for its turn */
export function createFairQueue(timeoutMs: number): FairQueue {
  // One entry per subject with work under way: its waiting callers, in the order of their turns.
  const queues = new Map<string, Map<string, Set<Waiting>>>()

  async function waitIn(queue: Map<string, Set<Waiting>>, caller: string): Promise<void> {
    const own = queue.get(caller) ?? new Set()
    queue.set(caller, own)
    const waiting = { begin: new AbortController() }
    own.add(waiting)
    await sleep(timeoutMs, waiting.begin.signal)
    if (waiting.begin.signal.aborted) return
    own.delete(waiting)
    throw new ContentionTimeoutError()
  }

  function startNext(subject: string, queue: Map<string, Set<Waiting>>): void {
    for (const [caller, own] of queue) {
      queue.delete(caller)
      const [next] = own
      if (next === undefined) continue
      own.delete(next)
      // Behind all other callers.
      queue.set(caller, own)
      next.begin.abort()
      return
    }
    queues.delete(subject)
  }

  return async (subject, caller, work) => {
    const present = queues.get(subject)
    if (present !== undefined) await waitIn(present, caller)
    const queue = present ?? new Map<string, Set<Waiting>>()
    queues.set(subject, queue)
    try {
      return await work()
    } finally {
      startNext(subject, queue)
    }
  }
}
