/** Sends mails in a thread of its own: to write and send one takes as much processor time as several calls. */
import { MessageChannel } from 'node:worker_threads'
import type { MessagePort, Worker } from 'node:worker_threads'
import type { Log } from '../lib/log.ts'
import { startThread } from '../lib/threads.ts'
import { PermanentMailError } from './smtp-transport.ts'
import type { Mail, MailTransport } from './smtp-transport.ts'

export type SmtpThreadData = Readonly<{ server: string; from: string }>

/** What the thread is asked: its answer comes through `port`, and any message from there ends the attempt. */
export type Attempt = Readonly<{ mail: Mail; port: MessagePort }>

export type AttemptAnswer = Readonly<{ isSent: true } | { isSent: false; error: unknown; marks: ErrorMarks }>

/** What the platform does not copy with an error. */
export const ERROR_MARKS = ['name', 'code', 'originalCode', 'command', 'response', 'responseCode'] as const
type ErrorMarks = Readonly<Partial<Record<(typeof ERROR_MARKS)[number], unknown>>>

/** Enough for a mail on each of the transport's connections. */
const HEAP_MB = 64

/**
 * The same as `createSmtpTransport`. The thread is started for the first mail. When it fails, its attempts fail too, and
 * the next mail starts another.
 */
export function createThreadedTransport(server: URL, from: string, log: Log): MailTransport {
  let thread: Worker | undefined

  function start(): Worker {
    const data: SmtpThreadData = { server: server.href, from }
    return startThread('src/mail/smtp-thread', data, HEAP_MB).on('error', (err) =>
      log.error({ err }, 'the thread that sends mails failed'),
    )
  }

  return {
    async send(mail, signal) {
      const asked = (thread ??= start())
      const { port1, port2 } = new MessageChannel()
      const abort = () => port1.postMessage('abort')
      signal.addEventListener('abort', abort)
      try {
        asked.postMessage({ mail, port: port2 } satisfies Attempt, [port2])
        if (signal.aborted) abort()
        const answer = await answerFrom(port1)
        if (answer === undefined) {
          if (thread === asked) thread = undefined
          throw new Error('the thread that sends mails has ended')
        }
        if (!answer.isSent) throw revived(answer)
      } finally {
        signal.removeEventListener('abort', abort)
        port1.close()
      }
    },
    close: () => void thread?.terminate(),
  }
}

/** Undefined when the thread ends. */
function answerFrom(port: MessagePort): Promise<AttemptAnswer | undefined> {
  const { promise, resolve } = Promise.withResolvers<AttemptAnswer | undefined>()
  port.once('message', resolve)
  port.once('close', () => resolve(undefined))
  return promise
}

function revived({ error, marks }: Extract<AttemptAnswer, { isSent: false }>): unknown {
  if (marks.name === 'PermanentMailError') return new PermanentMailError(Number(marks.responseCode))
  return error instanceof Error ? Object.assign(error, marks) : error
}
