/** Reads that are asked for in one turn of the event loop, made together. */
import { immediately, sleep } from '../lib/clock.ts'

/** The most that one query asks for. */
const MOST_AT_ONCE = 1000

/** The error of a read that could not be sent in time. */
export class NotSentError extends Error {
  constructor() {
    super('timeout exceeded when waiting for other reads')
    this.name = 'NotSentError'
  }
}

/** How many queries are under way at most; how long a read waits to be sent, in milliseconds. */
export type TurnBounds = Readonly<{ most: number; sentWithinMs: number }>

/**
 * Gathers what is asked for until the turn ends, and while as many queries as may be are under way. A read joins
 * only a query that has not been sent yet, so what it gets is never older than the moment it asked, and nothing
 * is kept for later (decision 0004).
 * @param ask answers each question, in their order
 * @param isSame whether two questions have one answer: one that follows the same is not asked again, so that a caller
 * with many calls at once has one read. Absent: each is asked
 * @throws {NotSentError} where it took too long until a query could be sent
 */
export function byTurn<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
  bounds?: TurnBounds,
  isSame?: (one: Q, other: Q) => boolean,
): (question: Q) => Promise<A> {
  type Waiting = Readonly<{ question: Q; answer: PromiseWithResolvers<A> }>
  const waiting: Waiting[] = []
  let underWay = 0
  // There while reads wait for a query to come back.
  let held: AbortController | undefined

  async function send(batch: readonly Waiting[]): Promise<void> {
    underWay += 1
    try {
      const answers = await ask(batch.map(({ question }) => question))
      for (const [index, { answer }] of batch.entries()) answer.resolve(answers[index] as A)
    } catch (error) {
      for (const { answer } of batch) answer.reject(error)
    }
    underWay -= 1
    if (held !== undefined) sendAll()
  }

  function sendAll(): void {
    while (waiting.length > 0 && underWay !== bounds?.most) {
      held?.abort()
      held = undefined
      void send(waiting.splice(0, MOST_AT_ONCE))
    }
    if (waiting.length > 0 && held === undefined && bounds !== undefined) void hold(bounds.sentWithinMs)
  }

  async function hold(milliseconds: number): Promise<void> {
    const { signal } = (held = new AbortController())
    await sleep(milliseconds, signal)
    if (signal.aborted) return
    held = undefined
    for (const { answer } of waiting.splice(0)) answer.reject(new NotSentError())
  }

  return (question) => {
    const last = waiting.at(-1)
    if (last !== undefined && isSame?.(last.question, question)) return last.answer.promise
    const answer = Promise.withResolvers<A>()
    if (waiting.push({ question, answer }) === 1) immediately(sendAll)
    if (waiting.length === MOST_AT_ONCE) sendAll()
    return answer.promise
  }
}
