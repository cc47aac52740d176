/** Sends what is queued: each mail by one process at a time, again after a failure, never lost by a crash. */
import type { Transaction } from '../../database/database.ts'
import type { MailKind } from '../../database/tables/mail-tables.ts'
import type { DomainDeps } from '../../domain/deps.ts'
import { later, sleep } from '../../lib/clock.ts'
import { PermanentMailError } from '../smtp-transport.ts'
import type { Mail, MailTransport } from '../smtp-transport.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import type { Mailer } from '../../domain/mails/mailer.ts'
import { takeFromBudget } from './mail-budget.ts'
import {
  deleteMail,
  deleteStaleMails,
  holdMailBack,
  isQueued,
  leaseDueMails,
  postponeMail,
} from '../../domain/mails/mail-queue-store.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import { judgeMail, recordSent } from './mail-pause.ts'

/** What an attempt may take, in milliseconds; less than a lease, so that two never overlap. */
const ATTEMPT_MS = 25_000
/** How long a mail is out of reach after the process that leased it died, in milliseconds. */
const LEASE_MS = 30_000
/** How often the queue is looked at when nobody rings, for other processes' mails and postponed ones. */
const POLL_MS = 1000
/** How many mails are on their way at a time. */
const CONCURRENCY = 5
/** How many mails that nobody waits for any more are deleted at a time. */
const STALE_BATCH = 500
/** How long a closing process lets attempts finish, in milliseconds. */
const CLOSE_GRACE_MS = 5000

/** The running queue of one process. */
export type SendQueue = Mailer &
  Readonly<{
    start(): void
    /** Takes nothing new, waits for what is on its way, ends it after five seconds. */
    close(): Promise<void>
  }>

/** What a mail's content may be made from. */
export type ComposeDeps = Pick<DomainDeps, 'config' | 'clock' | 'random'>

/** A mail that goes out now: whether its address wants peace was asked before. */
export type MailToCompose = QueuedMail &
  Readonly<{
    /** Its address is paused, and it is the mail of the day: it carries the button that ends the pause. */
    offersResume: boolean
  }>

/**
 * Makes a mail's content at the moment it is sent. What it writes is committed before the server
 * sees the mail, so a link that arrives always works.
 * @returns `undefined`: there is nothing to send any more
 */
export type Composer = (
  deps: ComposeDeps,
  trx: Transaction,
  mail: MailToCompose,
) => Promise<Omit<Mail, 'to'> | undefined>

/** Makes the queue; nothing is sent before `start`. */
export function createSendQueue(
  deps: Pick<DomainDeps, 'config' | 'db' | 'clock' | 'random' | 'log'>,
  transport: MailTransport,
  composers: Readonly<Record<MailKind, Composer>>,
): SendQueue {
  const { config, db, clock, random, log } = deps
  const closing = new AbortController()
  const underWay = new Map<Promise<void>, AbortController>()
  const beingMade = new Set<string | null>()
  const outcomes = { sent: 0, failed: 0, given_up: 0 }
  let bell = new AbortController()
  let running: Promise<void> = Promise.resolve()
  // Their budget is used up until then: looking at each of a flood would keep the others waiting.
  let ownersOnly = { fromMs: 0, untilMs: 0 }

  // A reason of its own: the one that abort() would make by default has a stack, at every call.
  const wake = () => bell.abort('rung')

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      bell = new AbortController()
      const leased = await leaseSome()
      for (const mail of leased) {
        // Called off with the attempt: timers of sent mails would pile up, thousands of them, for as long as they run.
        const giveUp = new AbortController()
        const callOff = later(ATTEMPT_MS, () => giveUp.abort())
        const attempt = send(mail, giveUp.signal).finally(() => {
          callOff()
          underWay.delete(attempt)
          wake()
        })
        underWay.set(attempt, giveUp)
      }
      if (leased.length === 0) await sleep(POLL_MS, bell.signal)
    }
  }

  async function leaseSome(): Promise<QueuedMail[]> {
    const limit = CONCURRENCY - underWay.size
    if (limit === 0) return []
    const nowMs = clock.now()
    try {
      return await leaseDueMails(db, {
        nowMs,
        untilMs: nowMs + LEASE_MS,
        limit,
        taken: beingMade,
        isOwnersOnly: ownersOnly.fromMs <= nowMs && nowMs < ownersOnly.untilMs,
      })
    } catch (err) {
      log.error({ err }, 'mail queue not readable')
      await sleep(POLL_MS, closing.signal)
      return []
    }
  }

  async function send(mail: QueuedMail, signal: AbortSignal): Promise<void> {
    const about = { mailId: mail.id, kind: mail.kind, attempt: mail.attempts }
    beingMade.add(mail.mailbox)
    try {
      const content = await db
        .transaction((trx) => compose(trx, mail))
        .finally(() => {
          beingMade.delete(mail.mailbox)
          wake()
        })
      if (content === 'held back') return log.info(about, 'mail held back')
      if (content === undefined) {
        await deleteMail(db, mail.id)
        return log.info(about, 'mail dropped')
      }
      await transport.send({ to: mail.email, ...content }, signal)
      outcomes.sent += 1
      await db.transaction((trx) => recordSent(trx, mail, clock.now()))
      log.info(about, 'mail sent')
    } catch (error) {
      await afterFailure(mail, error).catch((err: unknown) => log.error({ ...about, err }, 'mail stays leased'))
    }
  }

  async function compose(trx: Transaction, mail: QueuedMail): Promise<Omit<Mail, 'to'> | 'held back' | undefined> {
    // Since it was leased, its account may have been deleted, or a newer one have replaced it.
    if (!(await isQueued(trx, mail.id))) return undefined
    const nowMs = clock.now()
    const verdict = await judgeMail(trx, mail, nowMs)
    if (verdict.fate === 'dropped') return undefined
    if (verdict.fate === 'postponed') {
      await holdMailBack(trx, mail.id, verdict.untilMs)
      return 'held back'
    }
    const hold = await takeFromBudget(config, trx, mail, nowMs)
    if (hold?.isOfAllUnproven) {
      ownersOnly = { fromMs: nowMs, untilMs: hold.untilMs }
      await deleteStaleMails(trx, nowMs - mailKinds.sign_in.triedForMs, STALE_BATCH)
    }
    if (hold?.isInVain) return undefined
    if (hold !== undefined) {
      // Out of line, all that is in line would come before it.
      await holdMailBack(trx, mail.id, hold.untilMs, hold.isOfAllUnproven ? mail.turn_at_ms : null)
      return 'held back'
    }
    return composers[mail.kind](deps, trx, { ...mail, offersResume: verdict.offersResume })
  }

  async function afterFailure(mail: QueuedMail, error: unknown): Promise<void> {
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    const about = { mailId: mail.id, kind: mail.kind, attempt: mail.attempts, code, responseCode }
    const { triedForMs, longestDelayMs } = mailKinds[mail.kind]
    const dueAtMs = clock.now() + backoffMs(mail.attempts, longestDelayMs)
    if (error instanceof PermanentMailError || dueAtMs > mail.created_at_ms + triedForMs) {
      outcomes.given_up += 1
      await deleteMail(db, mail.id)
      log.error(about, 'mail given up')
    } else {
      outcomes.failed += 1
      await postponeMail(db, mail.id, dueAtMs)
      log.warn(about, 'mail not sent, will be tried again')
    }
  }

  // 1, 2, 4 … seconds, and up to half of it more, so that a server that comes back is not rushed.
  function backoffMs(attempts: number, longestMs: number): number {
    const shortestMs = Math.min(longestMs, 1000 * 2 ** (attempts - 1))
    return Math.round(shortestMs * (1 + random.bytes(1).readUInt8() / 512))
  }

  return {
    wake,
    attempts: () => outcomes,
    start() {
      running = run()
    },
    async close() {
      closing.abort()
      wake()
      await running
      const finished = new AbortController()
      const everything = Promise.all(underWay.keys()).finally(() => finished.abort())
      await sleep(CLOSE_GRACE_MS, finished.signal)
      for (const giveUp of underWay.values()) giveUp.abort()
      await everything
      transport.close()
    },
  }
}
