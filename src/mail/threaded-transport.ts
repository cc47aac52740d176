/** Sends mails in a thread of its own: to write and send one takes as much processor time as several calls. */
import type { Worker } from 'node:worker_threads'
import type { Log } from '../lib/log.ts'
import { startThread } from '../lib/process/threads.ts'
import { PermanentMailError } from './smtp-transport.ts'
import type { Mail, MailTransport } from './smtp-transport.ts'

export type SmtpThreadData = Readonly<{ server: string; from: string }>

/** What the thread is asked: to send a mail, or, without one, to end the attempt of this number. */
export type Asked = Readonly<{ attempt: number; mail?: Mail }>

/** What became of an attempt. */
export type Answered = Readonly<{ attempt: number; failure?: Failure }>

/** What is known of an error by its fields: an error that is copied to another thread loses them. */
export const ERROR_FIELDS = ['name', 'message', 'code', 'originalCode', 'command', 'response', 'responseCode'] as const
export type Failure = Readonly<Partial<Record<(typeof ERROR_FIELDS)[number], unknown>>>

type Thread = Readonly<{ worker: Worker; attempts: Map<number, PromiseWithResolvers<void>> }>

/** Enough for a mail on each of the transport's connections. */
const HEAP_MB = 64

/**
 * The same as `createSmtpTransport`. The thread is started for the first mail. When it fails, its attempts fail too, and
 * the next mail starts another.
 */
export function createThreadedTransport(server: URL, from: string, log: Log): MailTransport {
  let thread: Thread | undefined
  let begun = 0

  function start(): Thread {
    const data: SmtpThreadData = { server: server.href, from }
    const started = { worker: startThread('src/mail/smtp-thread', data, HEAP_MB), attempts: new Map() } satisfies Thread
    started.worker
      .on('message', (answered: Answered) => endAttempt(started, answered))
      .on('error', (err) => log.error({ err }, 'the thread that sends mails failed'))
      // Also between mails: a message to a thread that has ended is dropped without an error.
      .on('exit', () => {
        if (thread === started) thread = undefined
        for (const { reject } of started.attempts.values()) reject(new Error('the thread that sends mails has ended'))
      })
    return started
  }

  return {
    async send(mail, signal) {
      const { worker, attempts } = (thread ??= start())
      const attempt = ++begun
      const ended = Promise.withResolvers<void>()
      attempts.set(attempt, ended)
      // eslint-disable-next-line unicorn/require-post-message-target-origin -- not a window
      const ask = (asked: Asked) => worker.postMessage(asked)
      const abort = () => ask({ attempt })
      signal.addEventListener('abort', abort)
      try {
        ask({ attempt, mail })
        if (signal.aborted) abort()
        await ended.promise
      } finally {
        signal.removeEventListener('abort', abort)
        attempts.delete(attempt)
      }
    },
    close: () => void thread?.worker.terminate(),
  }
}

function endAttempt({ attempts }: Thread, { attempt, failure }: Answered): void {
  const ended = attempts.get(attempt)
  if (failure === undefined) ended?.resolve()
  else ended?.reject(toError(failure))
}

function toError(failure: Failure): Error {
  if (failure.name === PermanentMailError.name) return new PermanentMailError(Number(failure.responseCode))
  return Object.assign(new Error(), failure)
}
