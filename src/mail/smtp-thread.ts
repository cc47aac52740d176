/** The program of the thread that sends mails: see `threaded-transport.ts`. */
import { parentPort, workerData } from 'node:worker_threads'
import { createSmtpTransport } from './smtp-transport.ts'
import { ERROR_MARKS } from './threaded-transport.ts'
import type { Attempt, AttemptAnswer, SmtpThreadData } from './threaded-transport.ts'

const { server, from } = workerData as SmtpThreadData
const transport = createSmtpTransport(new URL(server), from)

parentPort?.on('message', async ({ mail, port }: Attempt) => {
  const giveUp = new AbortController()
  port.once('message', () => giveUp.abort())
  const answer = await transport.send(mail, giveUp.signal).then(() => ({ isSent: true }) as const, toFailure)
  port.postMessage(answer)
  port.close()
})

function toFailure(error: unknown): AttemptAnswer {
  const all = error as Record<string, unknown>
  return { isSent: false, error, marks: Object.fromEntries(ERROR_MARKS.map((mark) => [mark, all[mark]])) }
}
