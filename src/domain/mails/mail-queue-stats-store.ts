import type { Queries } from '../../database/database.ts'
import { queueStats } from '../../database/mail-queue-order.ts'
import { mailKinds } from './mail-kinds.ts'

/** Longest time that a failed mail waits for its next attempt, including jitter. */
const RETRIED_WITHIN_MS = 1.5 * Math.max(...Object.values(mailKinds).map(({ longestDelayMs }) => longestDelayMs))
/** Bound on the count, so that reading the statistics does not delay other work. */
const MAX_COUNTED = 10_000

/**
 * Statistics of mails that should go out by now, including failed ones and excluding those held back: how many, up to
 * 10,000, and the age of the oldest.
 * @param isOwnersOnly whether mails to unproven addresses are held back
 */
export async function findQueueStats(
  db: Queries,
  nowMs: number,
  isOwnersOnly = false,
): Promise<{ length: number; oldestAgeMs: number }> {
  const { length, since } = await queueStats(db, {
    nowMs,
    retriedUntilMs: nowMs + RETRIED_WITHIN_MS,
    limit: MAX_COUNTED,
    isOwnersOnly,
  }).executeTakeFirstOrThrow()
  return { length: Math.min(length, MAX_COUNTED), oldestAgeMs: since === null ? 0 : Math.max(0, nowMs - since) }
}
