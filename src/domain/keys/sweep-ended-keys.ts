import { sleep } from '../../lib/clock.ts'
import { FORGET_AFTER_MS, forgetEndedKeys } from './key-history.ts'
import type { HistoryDeps } from './key-history.ts'
import { findOwnersOfEndedKeys } from './key-end-store.ts'

const KEYS_AT_ONCE = 40
/** Pause between two transactions, in which requests are served. */
const REST_MS = 10

/**
 * Deletes the records of keys that ended before a time, and a month ago at least, in short transactions. Revoked keys
 * leave a tombstone.
 */
export async function sweepEndedKeys(deps: HistoryDeps, beforeMs: number, stopping: AbortSignal): Promise<void> {
  const untilMs = Math.min(beforeMs, deps.clock.now() - FORGET_AFTER_MS)
  const swept = new Set<string>()
  while (!stopping.aborted) {
    const found = await findOwnersOfEndedKeys(deps.db, untilMs, KEYS_AT_ONCE)
    // Keys of a deleted account are left to its erasure.
    const owners = found.filter((id) => !swept.has(id))
    if (owners.length === 0) return
    for (const userId of owners) {
      swept.add(userId)
      while (!stopping.aborted && (await forgetEndedKeys(deps, userId, untilMs))) await sleep(REST_MS, stopping)
    }
  }
}
