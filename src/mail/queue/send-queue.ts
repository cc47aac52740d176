/** Sends queued mails: each by one process at a time, retried after a failure, never lost in a crash. */
import type { Transaction } from '../../database/database.ts'
import type { MailKind } from '../../database/tables/mail-tables.ts'
import type { DomainDeps } from '../../domain/deps.ts'
import { elapsedMs, later, sleep, wait } from '../../lib/clock.ts'
import type { Mail, MailTransport } from '../smtp-transport.ts'
import type { Composer, MailToCompose } from './composer.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import type { Mailer } from '../../domain/mails/mailer.ts'
import { aboutOf, createAttemptEnds } from './attempt-end.ts'
import type { AttemptEnd } from './attempt-end.ts'
import { takeFromBudget } from './mail-budget.ts'
import { deleteMail, deleteStaleMails, findDueMails, holdMail, leaseMail } from '../../domain/mails/mail-queue-store.ts'
import type { DueMail, QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import { decideByPause } from './mail-pause.ts'

/** From the lease on; shorter than a lease, so that two attempts never overlap. */
const ATTEMPT_MS = 25_000
/** After the process that leased a mail died, it is unavailable for this long. */
const LEASE_MS = 30_000
/** Interval for finding other processes' mails and postponed ones. */
const POLL_MS = 1000
/** Least time between transactions: what ends or becomes due meanwhile shares the next one. */
const TURN_EVERY_MS = 10
/** How long a transaction goes on to the next mail: on PostgreSQL it has 900 ms, and every statement is a round trip. */
const COMPOSE_MS = 100
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

/** `run`: call it when the transaction is committed. */
type Step = Readonly<{ run: () => void; isLastOfTurn?: boolean }>

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
  /** Errors of mails that could not be composed: the next transaction records a failed attempt of each. */
  const uncomposable = new Map<string, unknown>()
  /** The mail whose composer has failed, if that is why a transaction has. The error itself says if it is retried. */
  let composing: string | undefined
  let wakeSignal = new AbortController()
  let running: Promise<void> = Promise.resolve()
  /** Whether the queue may have a due mail that is not leased: after a wake, or when a search did not take all. */
  let isMoreDue = true
  let searchedAtMs = elapsedMs()
  // The budget of unproven addresses is used up until then: reading every mail of a flood would delay the others.
  let ownersOnly = { fromMs: 0, untilMs: 0 }
  let isGraceOver = false

  // With a reason: without one, abort() creates an error with a stack on every call.
  const proceed = () => wakeSignal.abort('woken')
  const isClosed = () => closing.signal.aborted && inProgress.size === 0 && ended.length === 0

  async function run(): Promise<void> {
    while (!isClosed()) {
      wakeSignal = new AbortController()
      const mayGoOn = await takeTurn().catch(onFailure)
      await wait(TURN_EVERY_MS)
      if (!(mayGoOn && isMoreDue) && !isClosed()) await sleep(POLL_MS, wakeSignal.signal)
    }
  }

  /**
   * One transaction records what has ended, leases due mails and composes them.
   * @returns whether the next turn may find mails at once
   */
  async function takeTurn(): Promise<boolean> {
    const due = await findNext()
    const recorded = ended.slice()
    if (due.length === 0 && recorded.length === 0) return false
    composing = undefined
    try {
      const steps = await db.transaction(async (trx) => {
        composing = undefined
        for (const end of recorded) await end.record(trx)
        return prepareAll(trx, due)
      })
      ended.splice(0, recorded.length)
      for (const { report } of recorded) report()
      for (const step of steps) step.run()
      if (due.length > 0) uncomposable.clear()
      isMoreDue ||= steps.length < due.length
      return steps.length > 0
    } catch (error) {
      if (composing === undefined) throw error
      uncomposable.set(composing, error)
      isMoreDue = true
      return true
    }
  }

  async function onFailure(err: unknown): Promise<false> {
    log.error({ err }, 'the mail queue could not use the database')
    isMoreDue = true
    if (closing.signal.aborted) {
      for (const { about } of ended.splice(0)) log.error(about, 'mail stays leased')
    }
    await sleep(POLL_MS, closing.signal)
    return false
  }

  async function findNext(): Promise<DueMail[]> {
    const limit = closing.signal.aborted ? 0 : CONCURRENCY - inProgress.size
    if (limit === 0 || (!isMoreDue && elapsedMs() - searchedAtMs < POLL_MS)) return []
    // A wake during the search means another one.
    isMoreDue = false
    searchedAtMs = elapsedMs()
    const nowMs = clock.now()
    const isOwnersOnly = ownersOnly.fromMs <= nowMs && nowMs < ownersOnly.untilMs
    const found = await findDueMails(db, { nowMs, limit, isOwnersOnly })
    isMoreDue ||= found.isMoreDue
    return found.mails
  }

  /** Stops when it has taken long: transactions have a time limit, and others wait for its locks. */
  async function prepareAll(trx: Transaction, due: readonly DueMail[]): Promise<Step[]> {
    const steps: Step[] = []
    const beganMs = elapsedMs()
    for (const mail of due) {
      const step = await prepare(trx, mail)
      if (step !== undefined) steps.push(step)
      if (step?.isLastOfTurn || elapsedMs() - beganMs > COMPOSE_MS) break
    }
    return steps
  }

  /** Leases and composes a mail. @returns `undefined` when it is no longer due */
  async function prepare(trx: Transaction, due: DueMail): Promise<Step | undefined> {
    const nowMs = clock.now()
    const leasedAtMs = elapsedMs()
    const [mail] = await leaseMail(trx, { id: due.id, nowMs, untilMs: nowMs + LEASE_MS })
    if (mail === undefined) return undefined
    if (uncomposable.has(mail.id)) {
      const { record, report } = failed(mail, uncomposable.get(mail.id))
      await record(trx)
      return { run: report }
    }
    composing = mail.id
    const step = await compose(trx, mail, { turnAtMs: due.at_ms, leasedAtMs })
    composing = undefined
    return step
  }

  /** @param place `turnAtMs`: its place in line before it was leased; `leasedAtMs`: monotonic */
  async function compose(
    trx: Transaction,
    leased: QueuedMail,
    { turnAtMs, leasedAtMs }: Readonly<{ turnAtMs: number; leasedAtMs: number }>,
  ): Promise<Step> {
    const nowMs = clock.now()
    const decision = await decideByPause(trx, leased, nowMs)
    if (decision.action === 'dropped') return drop(trx, leased)
    if (decision.action === 'postponed') return holdBack(trx, leased, decision.untilMs, null)
    const hold = await takeFromBudget(config, trx, leased, nowMs)
    if (hold?.appliesToAllUnproven) {
      await deleteStaleMails(trx, nowMs - mailKinds.sign_in.triedForMs, STALE_BATCH)
      // Keeps its place: out of line, every mail in line would come before it.
      const step = await (hold.isPointless ? drop(trx, leased) : holdBack(trx, leased, hold.untilMs, turnAtMs))
      return {
        isLastOfTurn: true,
        run() {
          ownersOnly = { fromMs: nowMs, untilMs: hold.untilMs }
          step.run()
        },
      }
    }
    if (hold !== undefined) return hold.isPointless ? drop(trx, leased) : holdBack(trx, leased, hold.untilMs, null)
    const mail = { ...leased, offersResume: decision.offersResume }
    const content = await composers[mail.kind](deps, trx, mail)
    return content === undefined ? drop(trx, mail) : { run: () => void attempt(mail, content, leasedAtMs) }
  }

  async function holdBack(trx: Transaction, mail: QueuedMail, untilMs: number, turnAtMs: number | null): Promise<Step> {
    await holdMail(trx, mail.id, untilMs, turnAtMs)
    return { run: () => log.info(aboutOf(mail), 'mail held back') }
  }

  async function drop(trx: Transaction, mail: QueuedMail): Promise<Step> {
    await deleteMail(trx, mail.id)
    return { run: () => log.info(aboutOf(mail), 'mail dropped') }
  }

  async function attempt(mail: MailToCompose, content: Omit<Mail, 'to'>, leasedAtMs: number): Promise<void> {
    const giveUp = new AbortController()
    inProgress.add(giveUp)
    if (isGraceOver) giveUp.abort()
    // Cancelled with the attempt: otherwise thousands of timers of sent mails would pile up.
    const cancelTimer = later(leasedAtMs + ATTEMPT_MS - elapsedMs(), () => giveUp.abort())
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
      const cancelTimer = later(CLOSE_GRACE_MS, () => {
        isGraceOver = true
        for (const giveUp of inProgress) giveUp.abort()
      })
      await running
      cancelTimer()
      transport.close()
    },
  }
}
