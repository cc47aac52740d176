/** The holder of an account's former address undoes the change; an attacker keeps no access (docs/decisions/0059). */
import { RunAgainError } from '../../database/database.ts'
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { familySince } from '../keys/key-family.ts'
import { deleteMakers, findMakersUpToBound, MAX_MAKERS } from '../keys/key-maker-store.ts'
import { quarantineKeys } from '../keys/key-store.ts'
import { deleteButtonsOf } from '../mails/mail-button-store.ts'
import { deleteMailsTo } from '../mails/mail-queue-store.ts'
import { deleteLinksOf } from '../sign-in/magic-link-store.ts'
import { noteSpelling } from '../users/claim.ts'
import { clearDisownedName } from '../users/clear-name.ts'
import { deleteSpelling } from '../users/spelling-store.ts'
import { findUserByEmail, setEmail } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'
import { endChanges, findUndoableChanges } from './address-change-store.ts'
import type { AddressChange } from './address-change-store.ts'
import { reviveAccount } from './pending-deletion.ts'
import { newIdentitiesBefore, restoreIdentities } from './restore-identities.ts'

type UndoDeps = Pick<DomainDeps, 'clock' | 'random'>

/**
 * Undoes a change and all later ones: restores the address and the earlier Google connections and revokes every token.
 * Keys made since, and all keys that the sign-ins behind the changes made, await the owner. Locks the mails, then the
 * links of the other addresses; the caller holds the user's lock.
 * @param change one of `findUndoableChanges`, read under the lock
 * @returns false when the address is no longer free, because the reservation has run out by another process's clock
 */
export async function undoChange(
  deps: UndoDeps,
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
  await voidMailed(trx, [...others].toSorted())
  // After the mails: a sender of one may record an event of a disabled account, which waits for a change of its address.
  if ((await setEmail(trx, user.id, email)) === undefined) throw new RunAgainError()
  await deleteSpelling(trx, user.email)
  await noteSpelling(trx, email)
  await restoreIdentities(deps, trx, { user, change }, source)
  // A thief who connected a Google account before the change could sign in with it.
  const connected = newIdentitiesBefore(change)
  const disowned = {
    sinceMs: Math.min(change.asked_at_ms, ...connected.map((one) => one.connected_at_ms)),
    signIns: new Set([...undone, ...connected].map((one) => one.sign_in_id)),
  }
  await withdrawKeys(trx, user, { ...disowned, nowMs })
  await clearDisownedName(deps, trx, { user, ...disowned }, source)
  const event = { userId: user.id, type: 'email_change_undone', signInId: change.sign_in_id, detail: email } as const
  await recordEvent(trx, deps, event, source)
  return true
}

/** Nothing mailed to these addresses acts on the account any more. */
async function voidMailed(trx: Transaction, emails: readonly string[]): Promise<void> {
  for (const email of emails) await deleteMailsTo(trx, email)
  for (const email of emails) await deleteLinksOf(trx, email)
  for (const email of emails) await deleteButtonsOf(trx, email)
}

async function withdrawKeys(
  trx: Transaction,
  user: User,
  { signIns, sinceMs, nowMs }: Readonly<{ signIns: ReadonlySet<string>; sinceMs: number; nowMs: number }>,
): Promise<void> {
  const makers = await findMakersUpToBound(trx, user.id)
  // If not all makers were read, it is unknown which keys are not the thief's: all keys await the owner.
  const isTruncated = makers.length > MAX_MAKERS
  await quarantineKeys(trx, user.id, nowMs, isTruncated ? undefined : familySince(makers, sinceMs, [...signIns]))
  const kept = makers.filter(
    (row) => row.how === 'kept' && (signIns.has(row.sign_in_id ?? '') || (row.last_at_ms ?? row.at_ms) >= sinceMs),
  )
  await deleteMakers(
    trx,
    kept.map(({ id }) => id),
  )
}
