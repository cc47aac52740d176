import type { Transaction } from '../../database/database.ts'
import type { EventDeps } from '../deps.ts'
import type { EventSource } from '../events/security-events.ts'
import { findButton, markAllUsed } from '../mails/mail-button-store.ts'
import { findReservation } from '../address-change/address-change-store.ts'
import { lockFormerUser } from '../address-change/former-user.ts'
import { undoChange } from './undo-change.ts'

/**
 * Acts on the undo button of a mail. Locks the user, then as `undoChange`. A second call changes nothing.
 * @returns false when there is no such button, or nothing left to undo
 */
export async function pressUndo(
  deps: EventDeps,
  trx: Transaction,
  tokenHash: string,
  source: EventSource,
): Promise<boolean> {
  const nowMs = deps.clock.now()
  const button = await findButton(trx, 'undo_email', tokenHash, nowMs)
  if (button === undefined) return false
  if (button.used_at_ms !== null) return true
  const user = await lockFormerUser(trx, button.email, nowMs)
  // Read under the lock: the second of two concurrent calls finds all buttons of the address used.
  const current = await findButton(trx, 'undo_email', tokenHash, nowMs)
  if ((current ?? button).used_at_ms !== null) return true
  const change = await findReservation(trx, button.email, nowMs)
  if (user === undefined || change?.user_id !== user.id) return false
  if (!(await undoChange(deps, trx, { user, change }, source))) return false
  // An older mail must not undo a later change, which its reader may have made.
  await markAllUsed(trx, 'undo_email', button.email, nowMs)
  return true
}
