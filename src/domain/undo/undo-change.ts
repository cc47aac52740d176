/** The holder of an account's former address undoes the change; an attacker keeps no access (docs/decisions/0059). */
import { RunAgainError } from '../../database/database.ts'
import type { Transaction } from '../../database/database.ts'
import type { EventDeps } from '../deps.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { familySince } from '../keys/key-family.ts'
import { findMakersUpToBound } from '../keys/key-maker-store.ts'
import { deleteButtonsOf } from '../mails/mail-button-store.ts'
import { voidLinks } from '../sign-in/void-links.ts'
import { noteSpelling } from '../users/claim.ts'
import { clearDisownedName } from './clear-name.ts'
import { deleteSpelling } from '../users/spelling-store.ts'
import { findUserByEmail, setEmail } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'
import { endChanges, findUndoableChanges } from '../address-change/address-change-store.ts'
import type { AddressChange } from '../address-change/address-change-store.ts'
import { reviveAccount } from '../users/pending-deletion.ts'
import { findNewConnectionsBefore, restoreIdentities } from './restore-identities.ts'
import { withdrawKeys } from './withdraw-keys.ts'

/**
 * Undoes a change and all later ones: restores the address and the earlier Google connections and revokes every token.
 * Keys made since, and all keys that the sign-ins behind the changes made, await the owner. Locks the mails, then the
 * links of the other addresses; the caller holds the user's lock.
 * @param change one of `findUndoableChanges`, read under the lock
 * @returns false when the address is no longer free, because the reservation has run out by another process's clock
 */
export async function undoChange(
  deps: EventDeps,
  trx: Transaction,
  { user, change }: Readonly<{ user: User; change: AddressChange }>,
  source: EventSource,
): Promise<boolean> {
  const nowMs = deps.clock.now()
  const email = change.old_email
  const holder = await findUserByEmail(trx, email)
  if (holder !== undefined && holder.id !== user.id) return false
  const undoable = await findUndoableChanges(trx, user.id, nowMs)
  const undone = undoable.filter((one) => one.token_version >= change.token_version)
  // Before they are ended: the deletion that the undo cancels is recorded in one of them.
  await reviveAccount(deps, trx, user)
  await endChanges(
    trx,
    undone.map(({ id }) => id),
    nowMs,
  )
  const others = new Set(undone.flatMap((one) => [one.old_email, one.new_email]))
  others.delete(email)
  // Their holders can still undo an older change.
  for (const one of undoable) if (!undone.includes(one)) others.delete(one.old_email)
  const voided = [...others].toSorted()
  await voidLinks(trx, voided)
  for (const one of voided) await deleteButtonsOf(trx, one)
  // After the mails: a sender of one may record an event of a disabled account, which waits for a change of its address.
  if ((await setEmail(trx, user.id, email)) === undefined) throw new RunAgainError()
  await deleteSpelling(trx, user.email)
  await noteSpelling(trx, email)
  // A thief who connected a Google account before the change could sign in with it, until it was disconnected.
  const connected = await findNewConnectionsBefore(trx, user, change)
  await restoreIdentities(deps, trx, { user, change }, source)
  const disowned = {
    sinceMs: Math.min(change.asked_at_ms, ...connected.map((one) => one.connected_at_ms)),
    signIns: new Set([...undone, ...connected].map((one) => one.sign_in_id)),
  }
  const makers = await findMakersUpToBound(trx, user.id)
  const keys = familySince(makers, disowned.sinceMs, [...disowned.signIns])
  await withdrawKeys(trx, user, nowMs, { ...disowned, makers, keys })
  await clearDisownedName(deps, trx, { user, ...disowned, keys }, source)
  const event = { userId: user.id, type: 'email_change_undone', signInId: change.sign_in_id, detail: email } as const
  await recordEvent(trx, deps, event, source)
  return true
}
