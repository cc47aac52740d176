import type { Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { EventDeps } from '../deps.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { deleteIdentitiesOf, findIdentitiesOf } from '../google/identity-store.ts'
import { deleteButtonsOf, deletePause, findButton } from '../mails/mail-button-store.ts'
import { queueNotice } from '../mails/notices.ts'
import { voidLinks } from '../sign-in/void-links.ts'
import { noteSpelling } from '../users/claim.ts'
import { deleteSpelling } from '../users/spelling-store.ts'
import { setEmail } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'
import { confirmChange, findPendingChanges, findReservation } from './address-change-store.ts'

/** How long the old address is reserved, and its holder can undo the change. */
const UNDOABLE_FOR_MS = 7 * DAY_MS

/**
 * Confirms the change that a mailed link belongs to. Only the sign-in that asked can confirm: otherwise a click by a
 * stranger who gets the mail would move the account to their mailbox. Locks the mails, then the links of both addresses;
 * the caller holds the user's lock, and wakes the mailer.
 * @returns the changed user; `undefined` when there is no such link or change
 * @throws {ApiError} `SIGN_IN_REQUIRED` for another sign-in, `EMAIL_TAKEN` when the new address got an account meanwhile;
 * nothing is used up
 */
export async function confirmMailedChange(
  deps: EventDeps,
  trx: Transaction,
  user: User,
  asked: Readonly<{ tokenHash: string; signInId: string; source: EventSource }>,
): Promise<User | undefined> {
  const nowMs = deps.clock.now()
  const link = await findButton(trx, 'confirm_email', asked.tokenHash, nowMs)
  if (link === undefined || link.used_at_ms !== null) return undefined
  // The link proves the mailbox, and the token proves who asked: neither suffices alone.
  const pending = await findPendingChanges(trx, link.email, nowMs)
  if (pending.length === 0) return undefined
  const change = pending.find((one) => one.user_id === user.id && one.sign_in_id === asked.signInId)
  if (change === undefined) {
    const message =
      'Only the sign-in that asked for this change can confirm it. Open the link in the browser in which you asked, or sign in with the present address and ask again.'
    throw new ApiError('SIGN_IN_REQUIRED', { message })
  }

  const { old_email: oldEmail, new_email: newEmail } = change
  const identities = await findIdentitiesOf(trx, user.id)
  // Before the mails: a sign-in that creates an account for the new address locks in this order.
  const changed = await setEmail(trx, user.id, newEmail)
  const isReserved = async () => {
    const reservation = await findReservation(trx, newEmail, nowMs)
    return reservation !== undefined && reservation.user_id !== user.id
  }
  if (changed === undefined || (await isReserved())) {
    const message = 'The new address has an account meanwhile. Delete that account first, or use another address.'
    throw new ApiError('EMAIL_TAKEN', { message })
  }
  await confirmChange(trx, change.id, {
    confirmed_at_ms: nowMs,
    undo_until_ms: nowMs + UNDOABLE_FOR_MS,
    identities: JSON.stringify(identities),
    kept_until_ms: Math.max(change.kept_until_ms, nowMs + UNDOABLE_FOR_MS),
  })
  await voidLinks(trx, [oldEmail, newEmail], ['email_change', 'sign_in'])
  await queueNotice(deps, trx, 'email_notice', user, nowMs)
  await deleteIdentitiesOf(trx, user.id)
  for (const { email } of identities)
    await recordEvent(trx, deps, { userId: user.id, type: 'google_disconnected', detail: email }, asked.source)
  await deleteSpelling(trx, oldEmail)
  await noteSpelling(trx, newEmail)
  // Other buttons stay: "this wasn't me" in a mail to the old address undoes this change, if it reports its sign-in.
  await deleteButtonsOf(trx, newEmail, 'confirm_email')
  await deletePause(trx, newEmail)
  await recordEvent(trx, deps, { userId: user.id, type: 'email_changed', detail: newEmail }, asked.source)
  return changed
}
