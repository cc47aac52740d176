/** Work that is done one after the other where it is about the same thing, and side by side where it is not. */
import { sleep } from './clock.ts'

/** The turn did not come in time; nothing was done. */
export class TurnMissedError extends Error {
  constructor() {
    super('others were too long about the same')
    this.name = 'TurnMissedError'
  }
}

/**
 * Does the work when its turn comes. Of those who ask for the same thing each has the next turn once: a thousand
 * pieces of work from one make another wait for one of them.
 * @param thing what the work is about
 * @param from who asks
 */
export type Turns = <T>(thing: string, from: string, work: () => Promise<T>) => Promise<T>

type Waiting = Readonly<{ begin: AbortController }>

/**
 * Makes a queue for each thing there is.
 * @param withinMs how long is waited for a turn, in milliseconds; then a `TurnMissedError` is thrown
 */
export function createTurns(withinMs: number): Turns {
  // There while work is under way: by who asks, in the order of their next turns.
  const queues = new Map<string, Map<string, Set<Waiting>>>()

  async function waitIn(queue: Map<string, Set<Waiting>>, from: string): Promise<void> {
    const own = queue.get(from) ?? new Set()
    queue.set(from, own)
    const waiting = { begin: new AbortController() }
    own.add(waiting)
    await sleep(withinMs, waiting.begin.signal)
    if (waiting.begin.signal.aborted) return
    own.delete(waiting)
    throw new TurnMissedError()
  }

  function passOn(thing: string, queue: Map<string, Set<Waiting>>): void {
    for (const [from, own] of queue) {
      queue.delete(from)
      const [next] = own
      if (next === undefined) continue
      own.delete(next)
      queue.set(from, own)
      next.begin.abort()
      return
    }
    queues.delete(thing)
  }

  return async (thing, from, work) => {
    const present = queues.get(thing)
    if (present !== undefined) await waitIn(present, from)
    const queue = present ?? new Map<string, Set<Waiting>>()
    queues.set(thing, queue)
    try {
      return await work()
    } finally {
      passOn(thing, queue)
    }
  }
}
