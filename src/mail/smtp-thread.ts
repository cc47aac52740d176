/** The program of the thread that sends mails: see `threaded-transport.ts`. */
import { constants, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { createSmtpTransport } from './smtp-transport.ts'
import { ERROR_FIELDS } from './threaded-transport.ts'
import type { Answered, Asked, Failure, SmtpThreadData } from './threaded-transport.ts'

const { server, from } = workerData as SmtpThreadData

lowerPriority()

const transport = createSmtpTransport(new URL(server), from)

const attempts = new Map<number, AbortController>()

parentPort?.on('message', async ({ attempt, mail }: Asked) => {
  if (mail === undefined) return attempts.get(attempt)?.abort()
  const giveUp = new AbortController()
  attempts.set(attempt, giveUp)
  const answered: Answered = await transport.send(mail, giveUp.signal).then(
    () => ({ attempt }),
    (error: unknown) => ({ attempt, failure: fieldsOf(error) }),
  )
  attempts.delete(attempt)
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- not a window
  parentPort?.postMessage(answered)
})

function fieldsOf(error: unknown): Failure {
  const fields = error as Record<string, unknown>
  return Object.fromEntries(ERROR_FIELDS.map((name) => [name, fields[name]]))
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
