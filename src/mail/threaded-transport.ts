/** Sends mails in a thread of its own: to write and send one takes as much processor time as several calls. */
import { MessageChannel } from 'node:worker_threads'
import type { MessagePort, Worker } from 'node:worker_threads'
import type { Log } from '../lib/log.ts'
import { startThread } from '../lib/process/threads.ts'
import { PermanentMailError } from './smtp-transport.ts'
import type { Mail, MailTransport } from './smtp-transport.ts'

export type SmtpThreadData = Readonly<{ server: string; from: string }>

/** What the thread is asked: its answer comes through `port`, and any message from there ends the attempt. */
export type Attempt = Readonly<{ mail: Mail; port: MessagePort }>

export type AttemptAnswer = Readonly<{ failure?: Failure }>

/** What is known of an error by its fields: an error that is copied to another thread loses them. */
export const ERROR_FIELDS = ['name', 'message', 'code', 'originalCode', 'command', 'response', 'responseCode'] as const
type Failure = Readonly<Partial<Record<(typeof ERROR_FIELDS)[number], unknown>>>

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
    const started = startThread('src/mail/smtp-thread', data, HEAP_MB)
    // Also between mails: a message to a thread that has ended is dropped without an error.
    started.on('exit', () => {
      if (thread === started) thread = undefined
    })
    return started.on('error', (err) => log.error({ err }, 'the thread that sends mails failed'))
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
        if (answer.failure !== undefined) throw toError(answer.failure)
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

function toError(failure: Failure): Error {
  if (failure.name === PermanentMailError.name) return new PermanentMailError(Number(failure.responseCode))
  return Object.assign(new Error(), failure)
}
