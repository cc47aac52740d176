/** Periodic work: owners are notified of expiring keys, and expired rows are deleted. */
import { deleteOldChanges } from './address-change/address-change-store.ts'
import { eraseDueAccounts } from './users/pending-deletion.ts'
import { eraseDeleted } from './users/account-erasure.ts'
import {
  deleteEventsBefore,
  deleteEventsUntil,
  findEventsOfAllUsersSince,
  findEventTimeAfterNewest,
} from './events/event-store.ts'
import { recordEvent } from './events/security-events.ts'
import { DAYS_KEPT } from './keys/daily-uses/daily-uses.ts'
import { deleteDailyUsesBefore } from './keys/daily-uses/daily-use-store.ts'
import { deleteAmountsBefore } from './keys/restrictions/restriction-store.ts'
import { findExpiring, markNoticed } from './keys/key-end-store.ts'
import type { NoticeColumn } from './keys/key-end-store.ts'
import { sweepEndedKeys } from './keys/sweep-ended-keys.ts'
import { deleteAnswersBefore } from './idempotency/idempotency-store.ts'
import { deleteExpiredRequests } from './oauth/authorization-request-store.ts'
import { sweepEndedLinks } from './payment-links/sweep-ended-links.ts'
import { deleteExpiredLinks } from './sign-in/magic-link-store.ts'
import { deleteExpiredSignIns } from './sign-in/sign-in-store.ts'
import { deleteExpiredCredentials } from './sign-in/spent-credential-store.ts'
import { deleteUnclaimedUnused } from './users/sweep-unclaimed.ts'
import { lockUser } from './users/user-store.ts'
import type { Queries } from '../database/database.ts'
import { deleteExpiredWindows, deleteFullBuckets } from '../database/rate-limit-store.ts'
import type { DomainDeps } from './deps.ts'
import { restBetweenBatches } from './rest-between-batches.ts'
import { queueNotice } from './mails/notices.ts'
import { ANSWER_RETENTION_MS } from './idempotency/idempotency.ts'
import { DAY_MS, elapsedMs, nextTurn, timeoutSignal, utcDay } from '../lib/clock.ts'
import { watchClock } from './steady-clock.ts'
import { repeat } from '../lib/repeat.ts'
import type { Repeated } from '../lib/repeat.ts'
import { deleteExpiredButtons, deleteOldPauses } from './mails/mail-button-store.ts'
import { makeDueFromFuture } from './mails/mail-queue-store.ts'

const EVERY_MS = 10 * 60 * 1000
/** Rows per transaction: others wait for it, and for the checkpoint that may follow. */
const BATCH = 40
/** Expiring keys per read; one owner has at most `MAX_LIVE_KEYS`. */
const NOTICES = 500
/** Events kept per account: when strangers or a thief's token cause events in a loop, the oldest are deleted. */
const MAX_EVENTS = 100_000
const COUNTED_AT_ONCE = 10_000
/** An account with no more is counted in the turn of the event loop of the one before. Most have fewer. */
const FEW_EVENTS = 200
/** Limits each sweep per run: a large backlog must not delay notices of expiring keys. */
const LONG_SWEEP_MS = 60_000

/** Tolerance for another process's clock being ahead. */
const CLOCK_TOLERANCE_MS = 60_000

/** Delay of the first run: even a process that keeps crashing does some of the work. */
const FIRST_AFTER_MS = 30_000

type UpkeepDeps = Pick<DomainDeps, 'config' | 'db' | 'clock' | 'random' | 'mailer' | 'log'>

export function startUpkeep(deps: UpkeepDeps): Repeated {
  const isClockSteady = watchClock(deps.clock, elapsedMs, () => deps.db.serverTimeMs())
  let lastRunMs = Infinity
  const work = async (stopping: AbortSignal) => {
    const eventsSinceMs = Math.min(lastRunMs, longBefore(deps))
    lastRunMs = deps.clock.now()
    await upkeep(deps, stopping, await isClockSteady().catch(() => false), eventsSinceMs)
  }
  return repeat(EVERY_MS, work, FIRST_AFTER_MS)
}

/** Well before the last run, perhaps of a process that has ended. */
const longBefore = ({ clock }: Pick<UpkeepDeps, 'clock'>): number => clock.now() - 3 * EVERY_MS

/**
 * Runs every task once. A failure is logged and does not stop the other tasks.
 * @param stopping ends the run after the batch in progress; the next run continues
 * @param isClockSteady whether what looks old may be deleted for good
 * @param eventsSinceMs accounts without events since then are not looked at for too many
 */
export async function upkeep(
  deps: UpkeepDeps,
  stopping = new AbortController().signal,
  isClockSteady = true,
  eventsSinceMs = longBefore(deps),
): Promise<void> {
  const { config, db, clock, log } = deps
  const nowMs = clock.now()
  const keptSinceMs = nowMs - config.eventsKeepDays * DAY_MS
  const sweep = (deleteSome: typeof deleteExpiredLinks, untilMs: number) => () =>
    inBatches(stopping, () => deleteSome(db, untilMs, BATCH))
  const sweepDeadline = () => AbortSignal.any([stopping, timeoutSignal(LONG_SWEEP_MS)])
  // A clock that is ahead must not delete for good what is still needed. Of the others people get new ones.
  const whileSteady = {
    events: sweep(deleteEventsBefore, keptSinceMs),
    // A week later: until then, the button of a notice that was sent late may still have to undo the sign-in.
    signIns: sweep(deleteExpiredSignIns, nowMs - 7 * DAY_MS),
    // A day later: a clock that jumped ahead and is set back must not make a credential work again.
    spentCredentials: sweep(deleteExpiredCredentials, nowMs - DAY_MS),
    idempotencyKeys: sweep(deleteAnswersBefore, nowMs - ANSWER_RETENTION_MS),
    buttons: sweep(deleteExpiredButtons, nowMs),
    keyAmounts: () => inBatches(stopping, () => deleteAmountsBefore(db, utcDay(nowMs - DAY_MS), BATCH)),
    keyDailyUses: () => inBatches(stopping, () => deleteDailyUsesBefore(db, utcDay(nowMs - DAYS_KEPT * DAY_MS), BATCH)),
    addressChanges: sweep(deleteOldChanges, nowMs),
    pauses: sweep(deleteOldPauses, keptSinceMs),
    endedKeys: () => sweepEndedKeys(deps, keptSinceMs, sweepDeadline()),
    endedPaymentLinks: () => sweepEndedLinks(db, nowMs - config.paymentLinkRetentionDays * DAY_MS, sweepDeadline()),
    accountsToErase: () => eraseDueAccounts(deps, sweepDeadline()),
    unclaimedAccounts: async () => {
      const days = config.unclaimedAccountRetentionDays
      if (days !== undefined) await deleteUnclaimedUnused(deps, nowMs - days * DAY_MS, sweepDeadline())
    },
  }
  const tasks: Readonly<Record<string, () => Promise<void>>> = {
    dayNotices: () => noticeExpiring(deps, stopping, 'day_notice_at_ms', { fromMs: 0, withinMs: DAY_MS }),
    weekNotices: () => noticeExpiring(deps, stopping, 'week_notice_at_ms', { fromMs: DAY_MS, withinMs: 7 * DAY_MS }),
    links: sweep(deleteExpiredLinks, nowMs),
    authorizationRequests: sweep(deleteExpiredRequests, nowMs),
    windows: sweep(deleteExpiredWindows, nowMs),
    buckets: sweep(deleteFullBuckets, nowMs),
    // Queued before the clock was set back: they would wait until it is there again, unseen by the metrics.
    mailsFromFuture: () => inBatches(stopping, () => makeDueFromFuture(db, nowMs + CLOCK_TOLERANCE_MS, nowMs, BATCH)),
    ...(isClockSteady && whileSteady),
    // Last: they may take minutes, after many signups and after a crash or an interrupted deletion.
    eventsBeyond: () => deleteEventsBeyond(deps, stopping, eventsSinceMs),
    deletedAccounts: () => eraseDeleted(db, stopping),
  }
  for (const [task, run] of Object.entries(tasks)) {
    await run().catch((err: unknown) => log.error({ err, task }, 'upkeep not done'))
  }
}

// Reads only accounts with events since the last run: no other can have exceeded the bound since. Events that are written
// meanwhile are for the next run: a sweep that followed them might never end.
async function deleteEventsBeyond({ db, clock }: UpkeepDeps, stopping: AbortSignal, fromMs: number): Promise<void> {
  const looked = new Set<string>()
  const untilMs = clock.now()
  for (let sinceMs = fromMs; sinceMs <= untilMs;) {
    const recent = await findEventsOfAllUsersSince(db, sinceMs, BATCH)
    const lookedBefore = looked.size
    for (const { user_id: userId } of recent) {
      if (looked.has(userId) || stopping.aborted) continue
      looked.add(userId)
      const lastMs = await findTimeBeyondMost(db, userId)
      if (lastMs !== undefined) await inBatches(stopping, () => deleteEventsUntil(db, userId, lastMs, BATCH))
    }
    const [first, last] = [recent[0], recent.at(-1)]
    if (first === undefined || last === undefined || recent.length < BATCH || stopping.aborted) return
    await (looked.size > lookedBefore ? restBetweenBatches(stopping) : nextTurn())
    // Continues at the last time, which more events may have, unless the whole batch has it.
    sinceMs = last.at_ms > first.at_ms ? last.at_ms : last.at_ms + 1
  }
}

// Counted in parts: one count over a very long index would block others for too long.
async function findTimeBeyondMost(db: Queries, userId: string): Promise<number | undefined> {
  if ((await findEventTimeAfterNewest(db, userId, FEW_EVENTS, Number.MAX_SAFE_INTEGER)) === undefined) return undefined
  let untilMs: number | undefined = Number.MAX_SAFE_INTEGER
  for (let counted = 0; untilMs !== undefined && counted < MAX_EVENTS; counted += COUNTED_AT_ONCE) {
    untilMs = await findEventTimeAfterNewest(db, userId, COUNTED_AT_ONCE - 1, untilMs)
    await nextTurn()
  }
  return untilMs === undefined ? undefined : findEventTimeAfterNewest(db, userId, 0, untilMs)
}

async function inBatches(stopping: AbortSignal, doSome: () => Promise<number>, batch = BATCH): Promise<void> {
  while (!stopping.aborted && (await doSome()) === batch) await restBetweenBatches(stopping)
}

// A key that lives no longer than the notice period gets no notice: its maker has just read the date.
async function noticeExpiring(
  deps: UpkeepDeps,
  stopping: AbortSignal,
  column: NoticeColumn,
  { fromMs, withinMs }: Readonly<{ fromMs: number; withinMs: number }>,
): Promise<void> {
  const nowMs = deps.clock.now()
  const span = { afterMs: nowMs + fromMs, untilMs: nowMs + withinMs, lifetimeOverMs: withinMs }
  await inBatches(
    stopping,
    async () => {
      const keys = await findExpiring(deps.db, column, span, NOTICES)
      // One transaction per owner, so that all keys of an owner are in one mail.
      for (const [userId, own] of Map.groupBy(keys, (key) => key.user_id)) {
        if (stopping.aborted) break
        await deps.db.transaction(async (trx) => {
          const user = await lockUser(trx, 'id', userId)
          if (user === undefined) return
          const marked = await markNoticed(
            trx,
            column,
            own.map(({ id }) => id),
            nowMs,
          )
          for (const id of marked) await recordEvent(trx, deps, { userId, type: 'key_expiring', apiKeyId: id })
          if (marked.length > 0) await queueNotice(deps, trx, 'security_notice', user, nowMs)
        })
        await nextTurn()
      }
      if (keys.length > 0) deps.mailer.wake()
      return keys.length
    },
    NOTICES,
  )
}
