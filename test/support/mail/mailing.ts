/** The mail queue with a database and a real SMTP server, without HTTP. */
import { composers } from '../../../src/mail/composers.ts'
import type { Database } from '../../../src/database/database.ts'
import type { MailKind } from '../../../src/database/tables/mail-tables.ts'
import { createLog } from '../../../src/lib/log.ts'
import { createSmtpTransport } from '../../../src/mail/smtp-transport.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import type { Language } from '../../../src/domain/languages.ts'
import { enqueueMail } from '../../../src/domain/mails/mail-queue-store.ts'
import { newMail } from '../../../src/domain/mails/new-mail.ts'
import type { QueuedMail } from '../../../src/domain/mails/mail-queue-store.ts'
import { createSendQueue } from '../../../src/mail/queue/send-queue.ts'
import type { SendQueue } from '../../../src/mail/queue/send-queue.ts'
import { manualClock } from '../clock.ts'
import type { ManualClock } from '../clock.ts'
import { newDatabase, openAt } from '../database/database.ts'
import { temporaryFolder } from '../files.ts'
import { linkIn, startSmtp } from './smtp.ts'
import type { ReceivedMail, SmtpOptions, SmtpStandIn } from './smtp.ts'

export { until } from '../until.ts'

/** A mail to queue; by default a sign-in mail in English. */
export type ToQueue = Readonly<{
  email: string
  kind?: MailKind
  redirectTo?: string
  locale?: Language
  ip?: string
  browser?: string | null
}>

export type Mailing = Readonly<{
  folder: string
  databaseUrl: string
  db: Database
  clock: ManualClock
  smtp: SmtpStandIn
  logLines: string[]
  /** The first process's queue, not started yet. */
  queue: SendQueue
  /** A further process's queue with its own connection, not started yet. `watched` may record its statements. */
  anotherQueue(watched?: (db: Database) => Database): SendQueue
  /** Queues a mail like a feature, but wakes no queue. */
  enqueue(mail: ToQueue): Promise<void>
  waiting(): Promise<QueuedMail[]>
  close(): Promise<void>
}>

export function tokenIn(mail: ReceivedMail): string {
  return linkIn(mail).searchParams.get('token') ?? ''
}

/** Nothing is sent before a queue is started. */
export async function startMailing(options: SmtpOptions = {}): Promise<Mailing> {
  const folder = temporaryFolder()
  const database = await newDatabase(folder.path)
  const smtp = await startSmtp(options)
  const clock = manualClock()
  const logLines: string[] = []
  const log = createLog('info', { write: (line) => void logLines.push(line) })
  const config = loadConfig({ JWT_SECRET: 'a-test-secret-of-more-than-thirty-two-bytes' }, () => '')
  const closers: (() => Promise<void>)[] = []

  function makeQueue(db: Database): SendQueue {
    const queue = createSendQueue(
      { config, db, clock, log, random: systemRandom },
      createSmtpTransport(new URL(smtp.url), 'no-reply@paylink.example'),
      composers,
    )
    closers.push(async () => {
      await queue.close()
      await db.close()
    })
    return queue
  }

  const db = openAt(database.url, log)
  return {
    folder: folder.path,
    databaseUrl: database.url,
    db,
    clock,
    smtp,
    logLines,
    queue: makeQueue(db),
    anotherQueue: (watched = (same) => same) => makeQueue(watched(openAt(database.url, log))),
    async enqueue({ kind = 'sign_in', locale = 'en', ...mail }) {
      await enqueueMail(db, newMail({ clock, random: systemRandom }, { kind, locale, ...mail }))
    },
    waiting: () => db.query.selectFrom('queued_mails').selectAll().orderBy('email').execute(),
    async close() {
      for (const close of closers.toReversed()) await close()
      smtp.cutConnections()
      await smtp.close()
      await database.remove()
      folder.remove()
    },
  }
}
