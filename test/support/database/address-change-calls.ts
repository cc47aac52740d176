/** The part of store-calls.ts for changes of addresses. */
import * as changes from '../../../src/domain/address-change/address-change-store.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import type { StoreCalls } from './mail-store-calls.ts'

type Sample = Readonly<{ id: string; email: string; change: changes.AddressChange; nowMs: number }>

/** As in store-calls.ts. */
const SOME = 10
const DAY_MS = 24 * 3600 * 1000

export function addressChangeCalls({ id, email, change, nowMs }: Sample): Record<string, StoreCalls> {
  const confirmed = { confirmed_at_ms: nowMs, undo_until_ms: nowMs, identities: '[]', kept_until_ms: nowMs }
  return {
    'src/domain/address-change/address-change-store.ts': {
      insertPendingChange: (trx) =>
        changes.insertPendingChange(trx, { ...change, id: systemRandom.plainUuid(), user_id: id }),
      findPendingChanges: (trx) => changes.findPendingChanges(trx, email, nowMs),
      confirmChange: (trx) => changes.confirmChange(trx, change.id, confirmed),
      findReservation: (trx) => changes.findReservation(trx, email, nowMs),
      findUndoableChanges: (trx) => changes.findUndoableChanges(trx, id, nowMs),
      findChangesBetween: (trx) => changes.findChangesBetween(trx, id, { fromMs: nowMs - DAY_MS, untilMs: nowMs }),
      findChangesOf: (trx) => changes.findChangesOf(trx, id),
      endChanges: (trx) => changes.endChanges(trx, [change.id], nowMs),
      setDeletionAsked: (trx) => changes.setDeletionAsked(trx, change.id, nowMs),
      clearDeletionAsked: (trx) => changes.clearDeletionAsked(trx, id),
      findDeletionAsked: (trx) => changes.findDeletionAsked(trx, id),
      findDueDeletions: (trx) => changes.findDueDeletions(trx, nowMs, SOME),
      deleteOldChanges: (trx) => changes.deleteOldChanges(trx, nowMs - 30 * DAY_MS, SOME),
      deleteChangesOf: (trx) => changes.deleteChangesOf(trx, id),
    },
  }
}
