/** Sends queued mails: each by one process at a time, retried after a failure, never lost in a crash. */
import type { Transaction } from '../../database/database.ts'
import type { MailKind } from '../../database/tables/mail-tables.ts'
import type { DomainDeps } from '../../domain/deps.ts'
import { later, sleep } from '../../lib/clock.ts'
import { failureCause } from '../../lib/failure-cause.ts'
import { isRefusedForNow, PermanentMailError } from '../smtp-transport.ts'
import type { Mail, MailTransport } from '../smtp-transport.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import type { Mailer } from '../../domain/mails/mailer.ts'
import { takeFromBudget } from './mail-budget.ts'
import {
  deleteMail,
  deleteStaleMails,
  holdMail,
  leaseDueMails,
  lockForSending,
  postponeMail,
} from '../../domain/mails/mail-queue-store.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import { decideByPause, recordSent } from './mail-pause.ts'

/** Timeout of an attempt; shorter than a lease, so that two attempts never overlap. */
const ATTEMPT_MS = 25_000
/** After the process that leased a mail died, it is unavailable for this long. */
const LEASE_MS = 30_000
/** Interval for finding other processes' mails and postponed ones. */
const POLL_MS = 1000
const CONCURRENCY = 5
const STALE_BATCH = 500
/** Time that a closing process gives to attempts in progress. */
const CLOSE_GRACE_MS = 5000

export type SendQueue = Mailer &
  Readonly<{
    start(): void
    /** Leases nothing more, waits for attempts in progress, and aborts them after five seconds. */
    close(): Promise<void>
  }>

export type ComposeDeps = Pick<DomainDeps, 'config' | 'clock' | 'random'>

export type MailToCompose = QueuedMail &
  Readonly<{
    /** The address is paused and this is its mail of the day: it carries the button that ends the pause. */
    offersResume: boolean
  }>

/**
 * Composes a mail when it is sent. Its writes are committed before the mail server gets the mail, so that a delivered
 * link always works.
 * @returns `undefined` when there is nothing left to send
 */
export type Composer = (
  deps: ComposeDeps,
  trx: Transaction,
  mail: MailToCompose,
) => Promise<Omit<Mail, 'to'> | undefined>

/** Sends nothing before `start`. */
export function createSendQueue(
  deps: Pick<DomainDeps, 'config' | 'db' | 'clock' | 'random' | 'log'>,
  transport: MailTransport,
  composers: Readonly<Record<MailKind, Composer>>,
): SendQueue {
  const { config, db, clock, random, log } = deps
  const closing = new AbortController()
  const inProgress = new Map<Promise<void>, AbortController>()
  const composing = new Set<string | null>()
  const outcomes = { sent: 0, refused: 0, failed: 0, given_up: 0 }
  let wakeSignal = new AbortController()
  let running: Promise<void> = Promise.resolve()
  /** Whether a mail may be due that waits for another one to be composed or sent. */
  let isMoreDue = false
  // The budget of unproven addresses is used up until then: reading every mail of a flood would delay the others.
  let ownersOnly = { fromMs: 0, untilMs: 0 }

  // With a reason: without one, abort() creates an error with a stack on every call.
  const wake = () => wakeSignal.abort('woken')
  // A queue in which nothing else is due is not read again after each mail.
  const wakeForMore = () => {
    if (isMoreDue) wake()
  }

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      wakeSignal = new AbortController()
      const leased = await leaseSome()
      for (const mail of leased) {
        // Cancelled with the attempt: otherwise thousands of timers of sent mails would pile up.
        const giveUp = new AbortController()
        const cancelTimer = later(ATTEMPT_MS, () => giveUp.abort())
        const attempt = send(mail, giveUp.signal).finally(() => {
          cancelTimer()
          inProgress.delete(attempt)
          wakeForMore()
        })
        inProgress.set(attempt, giveUp)
      }
      if (leased.length === 0 || !isMoreDue) await sleep(POLL_MS, wakeSignal.signal)
    }
  }

  async function leaseSome(): Promise<QueuedMail[]> {
    // Until the answer: a mail that ends meanwhile may be what another one waits for.
    isMoreDue = true
    const limit = CONCURRENCY - inProgress.size
    if (limit === 0) return []
    const nowMs = clock.now()
    try {
      const found = await leaseDueMails(db, {
        nowMs,
        untilMs: nowMs + LEASE_MS,
        limit,
        taken: composing,
        isOwnersOnly: ownersOnly.fromMs <= nowMs && nowMs < ownersOnly.untilMs,
      })
      isMoreDue = found.isMoreDue
      return found.mails
    } catch (err) {
      log.error({ err }, 'mail queue not readable')
      await sleep(POLL_MS, closing.signal)
      return []
    }
  }

  async function send(mail: QueuedMail, signal: AbortSignal): Promise<void> {
    const about = { mailId: mail.id, kind: mail.kind, attempt: mail.attempts }
    composing.add(mail.mailbox)
    try {
      const content = await db
        .transaction((trx) => compose(trx, mail))
        .finally(() => {
          composing.delete(mail.mailbox)
          wakeForMore()
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
    // After the lease, the account may have been deleted, or a newer mail may have replaced this one.
    if (!(await lockForSending(trx, mail.id))) return undefined
    const nowMs = clock.now()
    const decision = await decideByPause(trx, mail, nowMs)
    if (decision.action === 'dropped') return undefined
    if (decision.action === 'postponed') {
      await holdMail(trx, mail.id, decision.untilMs)
      return 'held back'
    }
    const hold = await takeFromBudget(config, trx, mail, nowMs)
    if (hold?.appliesToAllUnproven) {
      ownersOnly = { fromMs: nowMs, untilMs: hold.untilMs }
      await deleteStaleMails(trx, nowMs - mailKinds.sign_in.triedForMs, STALE_BATCH)
    }
    if (hold?.isPointless) return undefined
    if (hold !== undefined) {
      // Keeps its place: out of line, every mail in line would come before it.
      await holdMail(trx, mail.id, hold.untilMs, hold.appliesToAllUnproven ? mail.turn_at_ms : null)
      return 'held back'
    }
    return composers[mail.kind](deps, trx, { ...mail, offersResume: decision.offersResume })
  }

  async function afterFailure(mail: QueuedMail, error: unknown): Promise<void> {
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    const cause = failureCause(error)
    const about = { mailId: mail.id, kind: mail.kind, attempt: mail.attempts, code, responseCode, cause }
    const { triedForMs, longestDelayMs } = mailKinds[mail.kind]
    const dueAtMs = clock.now() + backoffMs(mail.attempts, longestDelayMs)
    if (error instanceof PermanentMailError || dueAtMs > mail.created_at_ms + triedForMs) {
      outcomes.given_up += 1
      await deleteMail(db, mail.id)
      log.error(about, 'mail given up')
    } else {
      outcomes[isRefusedForNow(error) ? 'refused' : 'failed'] += 1
      await postponeMail(db, mail.id, dueAtMs)
      log.warn(about, 'mail not sent, will be tried again')
    }
  }

  // 1, 2, 4 … seconds, plus up to 50 % jitter, so that a recovering server is not overloaded.
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
      const everything = Promise.all(inProgress.keys()).finally(() => finished.abort())
      await sleep(CLOSE_GRACE_MS, finished.signal)
      for (const giveUp of inProgress.values()) giveUp.abort()
      await everything
      transport.close()
    },
  }
}
