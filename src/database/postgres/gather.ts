/** Gathers the questions of one turn of the event loop into one query. */
import { immediately, sleep } from '../../lib/clock.ts'

const MAX_QUESTIONS = 1000

/** No query could be sent in time. */
export class NotSentError extends Error {
  constructor() {
    super('timed out waiting for other reads')
    this.name = 'NotSentError'
  }
}

/** How many queries are under way at most; how long a question waits to be sent. */
export type GatherBounds = Readonly<{ most: number; sentWithinMs: number }>

/**
 * Gathers questions until the turn ends, and while the maximum of queries is under way. A question joins only a query
 * that has not been sent, so its answer is never from before it was asked, and no answer is kept (decision 0004).
 * @param ask answers each question, in their order
 * @param isSame whether a question shares the answer of the one before it, so that many calls of one caller are one
 * read; absent: never
 * @throws {NotSentError} when no query could be sent in time
 */
export function gather<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
  bounds?: GatherBounds,
  isSame?: (one: Q, other: Q) => boolean,
): (question: Q) => Promise<A> {
  type Waiting = Readonly<{ question: Q; answer: PromiseWithResolvers<A> }>
  const waiting: Waiting[] = []
  let underWay = 0
  // Set while questions wait for a query to be answered.
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
      void send(waiting.splice(0, MAX_QUESTIONS))
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
    if (waiting.length === MAX_QUESTIONS) sendAll()
    return answer.promise
  }
}
