/**
 * Runs work on the same subject one after the other, with round-robin among callers. Concurrent writes of one user hold
 * one database connection, and an attacker's writes do not delay the owner (docs/decisions/0036).
 */
import { later } from './clock.ts'

/** Earlier work took too long; this work did not start. */
export class ContentionTimeoutError extends Error {
  constructor() {
    super('timed out waiting for earlier writes')
    this.name = 'ContentionTimeoutError'
  }
}

/** The next work of the subject; undefined when none waits, or when the next is not `acceptable`. */
export type Take<W> = (acceptable?: (work: W) => boolean) => W | undefined

/** Runs what it takes, at least one; never rejects. */
export type RunTaken<W> = (take: Take<W>) => Promise<void>

type Waiting<W> = Readonly<{ work: W; stopWaiting: () => void }>

export class FairQueue<W> {
  readonly #timeoutMs: number
  readonly #run: RunTaken<W>
  readonly #lines = new Map<string, Line<W>>()

  /**
   * @param timeoutMs from `add` until the work is taken
   * @param run called once at a time for one subject
   */
  constructor(timeoutMs: number, run: RunTaken<W>) {
    this.#timeoutMs = timeoutMs
    this.#run = run
  }

  /**
   * A thousand calls of one caller delay another caller by one of them.
   * @param onTimeout called instead of taking the work
   */
  add(subject: string, caller: string, work: W, onTimeout: (error: ContentionTimeoutError) => void): void {
    const found = this.#lines.get(subject)
    const line = found ?? new Line<W>()
    const stopWaiting = later(this.#timeoutMs, () => {
      line.remove(caller, waiting)
      onTimeout(new ContentionTimeoutError())
    })
    const waiting = { work, stopWaiting }
    line.add(caller, waiting)
    if (found !== undefined) return
    this.#lines.set(subject, line)
    void this.#drain(subject, line)
  }

  async #drain(subject: string, line: Line<W>): Promise<void> {
    while (line.startTurn()) await this.#run((acceptable) => line.take(acceptable))
    this.#lines.delete(subject)
  }
}

/** What waits for one subject, by caller, in the order of their turns. */
class Line<W> {
  #due = new Map<string, Waiting<W>[]>()
  /** Callers who had their turn, and what else they wait for: behind all others. */
  #served = new Map<string, Waiting<W>[]>()

  add(caller: string, waiting: Waiting<W>): void {
    const some = this.#served.get(caller) ?? this.#due.get(caller)
    if (some === undefined) this.#due.set(caller, [waiting])
    else some.push(waiting)
  }

  remove(caller: string, waiting: Waiting<W>): void {
    const some = this.#served.get(caller) ?? this.#due.get(caller) ?? []
    some.splice(some.indexOf(waiting), 1)
  }

  /** Returns whether anything waits. */
  startTurn(): boolean {
    for (const [caller, some] of this.#served) this.#due.set(caller, some)
    this.#served.clear()
    for (const [caller, some] of this.#due) if (some.length === 0) this.#due.delete(caller)
    return this.#due.size > 0
  }

  take(acceptable: (work: W) => boolean = () => true): W | undefined {
    for (const callers of [this.#due, this.#served]) {
      for (const [caller, some] of callers) {
        const [next] = some
        if (next === undefined) continue
        if (!acceptable(next.work)) return undefined
        next.stopWaiting()
        some.shift()
        callers.delete(caller)
        this.#served.set(caller, some)
        return next.work
      }
    }
    return undefined
  }
}
