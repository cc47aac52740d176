/** An account with a change of address that can be undone is disabled first, and erased later. */
import type { Database, Transaction } from '../../database/database.ts'
import type { DomainDeps, EventDeps } from '../deps.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { recordAccountChange } from './account-change-store.ts'
import { shutAccount } from './disable-account.ts'
import { eraseAccount } from './erase-account.ts'
import { lockUser, setDisabled } from './user-store.ts'
import type { User } from './user-store.ts'
import { restBetweenBatches } from '../rest-between-batches.ts'
import {
  findDeletionAsked,
  findDueDeletions,
  findUndoableChanges,
  setDeletionAsked,
} from '../address-change/address-change-store.ts'

/**
 * Deletes an account for its owner: at once, or, while somebody can undo a change of its address, by disabling it now
 * and erasing it then. The caller holds the user's lock, and wakes the erasure.
 */
export async function deleteAccount(deps: EventDeps, trx: Transaction, user: User, source: EventSource): Promise<void> {
  const nowMs = deps.clock.now()
  const last = (await findUndoableChanges(trx, user.id, nowMs)).at(-1)
  if (last === undefined) return eraseAccount(trx, user, nowMs)
  // Both get the same time: `reviveAccount` compares them to see whether the operator disabled the account since.
  await shutAccount(trx, user, nowMs)
  await setDeletionAsked(trx, last.id, nowMs)
  await recordEvent(trx, deps, { userId: user.id, type: 'deletion_asked' }, source)
}

/** Enables an account that only its deletion has disabled. The caller holds the user's lock. */
export async function reviveAccount(deps: EventDeps, trx: Transaction, user: User): Promise<void> {
  const change = await findDeletionAsked(trx, user.id)
  // The operator's disabling has a later time (domain/users/disable-account.ts).
  if (change === undefined || user.disabled_at_ms !== change.deletion_asked_at_ms) return
  await setDisabled(trx, user.id, null)
  await recordAccountChange(trx, user.id, 'enabled', deps.clock.now())
}

const ACCOUNTS_AT_ONCE = 40

/** Erases the accounts whose deletion waited for the undo, each in a transaction of its own. */
export async function eraseDueAccounts(
  { db, clock }: Readonly<{ db: Database; clock: DomainDeps['clock'] }>,
  stopping: AbortSignal,
): Promise<void> {
  for (;;) {
    const ids = await findDueDeletions(db, clock.now(), ACCOUNTS_AT_ONCE)
    for (const id of ids) {
      if (stopping.aborted) return
      await db.transaction(async (trx) => {
        const user = await lockUser(trx, 'id', id)
        const change = await findDeletionAsked(trx, id)
        // Undone or enabled meanwhile.
        if (user === undefined || (change?.undo_until_ms ?? Infinity) > clock.now()) return
        await eraseAccount(trx, user, clock.now())
      })
      await restBetweenBatches(stopping)
    }
    if (ids.length < ACCOUNTS_AT_ONCE) return
  }
}
