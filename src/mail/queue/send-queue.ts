/** Sends queued mails: each by one process at a time, retried after a failure, never lost in a crash. */
import type { Transaction } from '../../database/database.ts'
import type { MailKind } from '../../database/tables/mail-tables.ts'
import type { DomainDeps } from '../../domain/deps.ts'
import { later, sleep, wait } from '../../lib/clock.ts'
import type { Mail, MailTransport } from '../smtp-transport.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import type { Mailer } from '../../domain/mails/mailer.ts'
import { aboutOf, createAttemptEnds } from './attempt-end.ts'
import type { AttemptEnd } from './attempt-end.ts'
import { takeFromBudget } from './mail-budget.ts'
import { deleteMail, deleteStaleMails, findDueMails, holdMail, leaseMail } from '../../domain/mails/mail-queue-store.ts'
import type { DueMail, QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import { decideByPause } from './mail-pause.ts'

/** Timeout of an attempt; shorter than a lease, so that two attempts never overlap. */
const ATTEMPT_MS = 25_000
/** After the process that leased a mail died, it is unavailable for this long. */
const LEASE_MS = 30_000
/** Interval for finding other processes' mails and postponed ones. */
const POLL_MS = 1000
/** Least time between transactions: what ends or becomes due meanwhile shares the next one. */
const TURN_MS = 5
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
  const { config, db, clock, log } = deps
  const { sent, failed, outcomes } = createAttemptEnds(deps)
  const closing = new AbortController()
  const inProgress = new Set<AbortController>()
  /** Recorded in the next transaction. */
  const ended: AttemptEnd[] = []
  /** Errors of mails that could not be composed: the next transaction with such a mail records a failed attempt. */
  const uncomposable = new Map<string, unknown>()
  /** Set where a transaction has failed in a composer. */
  let composing: string | undefined
  let wakeSignal = new AbortController()
  let running: Promise<void> = Promise.resolve()
  /** Whether the queue may have a due mail that is not leased. */
  let isMoreDue = true
  // The budget of unproven addresses is used up until then: reading every mail of a flood would delay the others.
  let ownersOnly = { fromMs: 0, untilMs: 0 }

  // With a reason: without one, abort() creates an error with a stack on every call.
  const proceed = () => wakeSignal.abort('woken')

  async function run(): Promise<void> {
    while (!closing.signal.aborted || inProgress.size > 0 || ended.length > 0) {
      wakeSignal = new AbortController()
      const hasLeased = await takeTurn().catch(onFailure)
      await wait(TURN_MS)
      if (hasLeased && isMoreDue) continue
      await sleep(POLL_MS, wakeSignal.signal)
      if (!wakeSignal.signal.aborted) isMoreDue = true
    }
  }

  /** One transaction records what has ended, leases due mails and composes them. @returns whether it has leased any */
  async function takeTurn(): Promise<boolean> {
    const due = await findNext()
    const recorded = ended.slice()
    if (due.length === 0 && recorded.length === 0) return false
    try {
      const next = await db.transaction(async (trx) => {
        composing = undefined
        for (const end of recorded) await end.record(trx)
        const steps: (() => void)[] = []
        for (const mail of due) {
          const step = await prepare(trx, mail)
          if (step !== undefined) steps.push(step)
        }
        return steps
      })
      ended.splice(0, recorded.length)
      for (const { report } of recorded) report()
      for (const step of next) step()
      isMoreDue ||= next.length < due.length
      return next.length > 0
    } catch (error) {
      if (composing === undefined) throw error
      uncomposable.set(composing, error)
      isMoreDue = true
      return true
    }
  }

  async function onFailure(err: unknown): Promise<false> {
    log.error({ err }, 'mail queue not readable')
    // What has ended stays leased, and is sent again.
    if (closing.signal.aborted) ended.length = 0
    isMoreDue = true
    await sleep(POLL_MS, closing.signal)
    return false
  }

  async function findNext(): Promise<DueMail[]> {
    const limit = closing.signal.aborted ? 0 : CONCURRENCY - inProgress.size
    if (limit === 0 || !isMoreDue) return []
    // A wake during the search means another one.
    isMoreDue = false
    const nowMs = clock.now()
    const isOwnersOnly = ownersOnly.fromMs <= nowMs && nowMs < ownersOnly.untilMs
    const found = await findDueMails(db, { nowMs, limit, isOwnersOnly })
    isMoreDue ||= found.isMoreDue
    return found.mails
  }

  /**
   * Leases and composes a mail.
   * @returns what to do when that is committed; `undefined` when it is no longer due
   */
  async function prepare(trx: Transaction, due: DueMail): Promise<(() => void) | undefined> {
    const nowMs = clock.now()
    const [mail] = await leaseMail(trx, { id: due.id, nowMs, untilMs: nowMs + LEASE_MS })
    if (mail === undefined) return undefined
    if (uncomposable.has(mail.id)) {
      const { record, report } = failed(mail, uncomposable.get(mail.id))
      await record(trx)
      return () => {
        uncomposable.delete(mail.id)
        report()
      }
    }
    composing = mail.id
    const composed = await compose(trx, mail, due.at_ms)
    composing = undefined
    if (composed === 'held back') return () => log.info(aboutOf(mail), 'mail held back')
    if (composed === undefined) {
      await deleteMail(trx, mail.id)
      return () => log.info(aboutOf(mail), 'mail dropped')
    }
    return () => void attempt(composed.mail, composed.content)
  }

  /** @param turnAtMs the mail's place in line; leased, it is out of line */
  async function compose(
    trx: Transaction,
    leased: QueuedMail,
    turnAtMs: number,
  ): Promise<Readonly<{ mail: MailToCompose; content: Omit<Mail, 'to'> }> | 'held back' | undefined> {
    const nowMs = clock.now()
    const decision = await decideByPause(trx, leased, nowMs)
    if (decision.action === 'dropped') return undefined
    if (decision.action === 'postponed') {
      await holdMail(trx, leased.id, decision.untilMs)
      return 'held back'
    }
    const hold = await takeFromBudget(config, trx, leased, nowMs)
    if (hold?.appliesToAllUnproven) {
      ownersOnly = { fromMs: nowMs, untilMs: hold.untilMs }
      await deleteStaleMails(trx, nowMs - mailKinds.sign_in.triedForMs, STALE_BATCH)
    }
    if (hold?.isPointless) return undefined
    if (hold !== undefined) {
      // Keeps its place: out of line, every mail in line would come before it.
      await holdMail(trx, leased.id, hold.untilMs, hold.appliesToAllUnproven ? turnAtMs : null)
      return 'held back'
    }
    const mail = { ...leased, offersResume: decision.offersResume }
    const content = await composers[mail.kind](deps, trx, mail)
    return content && { mail, content }
  }

  async function attempt(mail: MailToCompose, content: Omit<Mail, 'to'>): Promise<void> {
    const giveUp = new AbortController()
    inProgress.add(giveUp)
    // Cancelled with the attempt: otherwise thousands of timers of sent mails would pile up.
    const cancelTimer = later(ATTEMPT_MS, () => giveUp.abort())
    const end = await transport.send({ to: mail.email, ...content }, giveUp.signal).then(
      () => sent(mail),
      (error: unknown) => failed(mail, error),
    )
    cancelTimer()
    inProgress.delete(giveUp)
    ended.push(end)
    proceed()
  }

  return {
    wake() {
      isMoreDue = true
      proceed()
    },
    attempts: () => outcomes,
    start() {
      running = run()
    },
    async close() {
      closing.abort()
      proceed()
      const cancelTimer = later(CLOSE_GRACE_MS, () => inProgress.forEach((giveUp) => giveUp.abort()))
      await running
      cancelTimer()
      transport.close()
    },
  }
}
