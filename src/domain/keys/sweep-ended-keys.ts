import { restBetweenBatches } from '../rest-between-batches.ts'
import { forgetEndedKeys } from './key-history.ts'
import type { HistoryDeps } from './key-history.ts'
import { findOwnersOfEndedKeys } from './key-end-store.ts'

const KEYS_AT_ONCE = 40

/**
 * Deletes the records of keys that ended before a time, in short transactions. Revoked keys leave a tombstone.
 * @param untilMs at least `SIGN_INS_KEPT_MS` ago
 */
export async function sweepEndedKeys(deps: HistoryDeps, untilMs: number, stopping: AbortSignal): Promise<void> {
  const swept = new Set<string>()
  while (!stopping.aborted) {
    const found = await findOwnersOfEndedKeys(deps.db, untilMs, KEYS_AT_ONCE)
    // `forgetEndedKeys` skips deleted accounts, so their keys are found again.
    const owners = found.filter((id) => !swept.has(id))
    if (owners.length === 0) return
    for (const userId of owners) {
      swept.add(userId)
      while (!stopping.aborted && (await forgetEndedKeys(deps, userId, untilMs))) await restBetweenBatches(stopping)
    }
  }
}
