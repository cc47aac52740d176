/** What is done because its time has come: owners are told of keys that expire, and what is over is swept. */
import { deleteEventsBefore } from './accounts/event-store.ts'
import { recordEvent } from './accounts/events.ts'
import { markExpiring } from './accounts/key-store.ts'
import { deleteExpiredLinks } from './accounts/link-store.ts'
import { lockUser } from './accounts/user-store.ts'
import { inTransaction } from './db/db.ts'
import type { Deps } from './deps.ts'
import { tellOwner } from './features/api-keys/key-notice.ts'
import { repeat } from './lib/repeat.ts'
import type { Repeated } from './lib/repeat.ts'
import { deleteExpiredActions } from './mail/action-store.ts'

/** How often, in milliseconds. */
const EVERY_MS = 10 * 60 * 1000
const DAY_MS = 24 * 3600 * 1000
/** How many rows one transaction touches, so that nobody waits for it. */
const BATCH = 500

type UpkeepDeps = Pick<Deps, 'config' | 'db' | 'clock' | 'random' | 'mailer'>

/** Starts the upkeep; the first is after ten minutes. */
export function startUpkeep(deps: Deps): Repeated {
  return repeat(EVERY_MS, () => upkeep(deps).catch((err: unknown) => deps.log.error({ err }, 'upkeep not done')))
}

/** Does all of it once. */
export async function upkeep(deps: UpkeepDeps): Promise<void> {
  const { config, db, clock } = deps
  const nowMs = clock.now()
  await noticeExpiring(deps, 'day_notice_at_ms', { fromMs: 0, withinMs: DAY_MS })
  await noticeExpiring(deps, 'week_notice_at_ms', { fromMs: DAY_MS, withinMs: 7 * DAY_MS })
  await inBatches(() => deleteEventsBefore(db, nowMs - config.eventsKeepDays * DAY_MS, BATCH))
  await inBatches(() => deleteExpiredLinks(db, nowMs, BATCH))
  await inBatches(() => deleteExpiredActions(db, nowMs, BATCH))
}

async function inBatches(deleteSome: () => Promise<number>): Promise<void> {
  while ((await deleteSome()) === BATCH);
}

// A key that lives no longer than the notice is early gets none: its maker has just been told the date.
async function noticeExpiring(
  deps: UpkeepDeps,
  column: 'week_notice_at_ms' | 'day_notice_at_ms',
  { fromMs, withinMs }: Readonly<{ fromMs: number; withinMs: number }>,
): Promise<void> {
  const nowMs = deps.clock.now()
  const span = {
    nowMs,
    afterMs: nowMs + fromMs,
    untilMs: nowMs + withinMs,
    lifetimeOverMs: withinMs,
    limit: BATCH,
  }
  await inBatches(async () => {
    const keys = await inTransaction(deps.db, async (trx) => {
      const expiring = await markExpiring(trx, column, span)
      for (const key of expiring) {
        const user = await lockUser(trx, 'id', key.user_id)
        if (user === undefined) continue
        await recordEvent(trx, deps, { userId: user.id, type: 'key_expiring', apiKeyId: key.id })
        await tellOwner(deps, trx, user, nowMs)
      }
      return expiring
    })
    if (keys.length > 0) deps.mailer.wake()
    return keys.length
  })
}
