/** Gathers the questions of one turn of the event loop into one read. */
import { immediately, sleep } from '../lib/clock.ts'

const MAX_QUESTIONS = 1000

export class NotSentError extends Error {
  constructor() {
    super('timed out waiting for earlier reads')
    this.name = 'NotSentError'
  }
}

/** `maxConcurrent`: queries; `sendTimeoutMs`: how long a question may wait to be sent. */
export type GatherBounds = Readonly<{ maxConcurrent: number; sendTimeoutMs: number }>

/**
 * Gathers questions until the turn ends, and longer while the maximum of queries is in progress. A question only joins
 * a query that has not been sent, so its answer is never older than the question; answers are not cached (decision
 * 0004).
 * @param ask returns the answers in the order of the questions
 * @param isSame whether a question can share the answer of the one before it, so that many calls of one caller are one
 * read; absent: never
 * @throws {NotSentError}
 */
export function gather<Q, A>(
  ask: (questions: readonly Q[]) => Promise<readonly A[]>,
  bounds?: GatherBounds,
  isSame?: (one: Q, other: Q) => boolean,
): (question: Q) => Promise<A> {
  type Waiting = Readonly<{ question: Q; answer: PromiseWithResolvers<A> }>
  const waiting: Waiting[] = []
  let inProgress = 0
  // Set while questions wait because the maximum of queries is in progress.
  let held: AbortController | undefined

  async function send(batch: readonly Waiting[]): Promise<void> {
    inProgress += 1
    try {
      const answers = await ask(batch.map(({ question }) => question))
      for (const [index, { answer }] of batch.entries()) answer.resolve(answers[index] as A)
    } catch (error) {
      for (const { answer } of batch) answer.reject(error)
    }
    inProgress -= 1
    if (held !== undefined) sendAll()
  }

  function sendAll(): void {
    while (waiting.length > 0 && inProgress !== bounds?.maxConcurrent) {
      held?.abort()
      held = undefined
      void send(waiting.splice(0, MAX_QUESTIONS))
    }
    if (waiting.length > 0 && held === undefined && bounds !== undefined) void hold(bounds.sendTimeoutMs)
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
