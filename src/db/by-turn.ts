/** Reads that are asked for in one turn of the event loop, made by one query. */
import { immediately } from '../lib/clock.ts'

/** The most that one query asks for. */
const MOST_AT_ONCE = 1000

/**
 * Gathers what is asked for until the turn ends. A read joins only a query that has not been sent yet,
 * so what it gets is never older than the moment it asked, and nothing is kept for later (decision 0004).
 * @param ask answers each question, in their order
 */
export function byTurn<Q, A>(ask: (questions: readonly Q[]) => Promise<readonly A[]>): (question: Q) => Promise<A> {
  type Waiting = Readonly<{ question: Q; answer: PromiseWithResolvers<A> }>
  let waiting: Waiting[] = []

  async function send(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await ask(batch.map(({ question }) => question))
      for (const [index, { answer }] of batch.entries()) answer.resolve(answers[index] as A)
    } catch (error) {
      for (const { answer } of batch) answer.reject(error)
    }
  }

  function sendAll(): void {
    const batch = waiting
    waiting = []
    if (batch.length > 0) void send(batch)
  }

  return (question) => {
    const answer = Promise.withResolvers<A>()
    if (waiting.push({ question, answer }) === 1) immediately(sendAll)
    if (waiting.length === MOST_AT_ONCE) sendAll()
    return answer.promise
  }
}
