/** The program of the thread that sends mails: see `threaded-transport.ts`. */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createSmtpTransport } from './smtp-transport.ts'
import { ERROR_FIELDS } from './threaded-transport.ts'
import type { Attempt, AttemptAnswer, SmtpThreadData } from './threaded-transport.ts'

const { server, from } = workerData as SmtpThreadData

lowerPriority()

const transport = createSmtpTransport(new URL(server), from)

parentPort?.on('message', async ({ mail, port }: Attempt) => {
  const giveUp = new AbortController()
  port.once('message', () => giveUp.abort())
  const answer = await transport.send(mail, giveUp.signal).then(() => ({}), toFailure)
  port.postMessage(answer)
  port.close()
})

function toFailure(error: unknown): AttemptAnswer {
  const fields = error as Record<string, unknown>
  return { failure: Object.fromEntries(ERROR_FIELDS.map((name) => [name, fields[name]])) }
}

// On a busy machine, requests and syncs come before mails.
function lowerPriority(): void {
  // Elsewhere it would apply to all threads of the process.
  if (process.platform !== 'linux') return
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // A sandbox may forbid it. Mails then compete with requests.
  }
}
