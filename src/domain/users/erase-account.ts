/** Deletes an account in one short transaction; account-erasure.ts deletes its rows later, in batches. */
import { recordAccountChange } from './account-change-store.ts'
import { deleteChangesOf } from '../address-change/address-change-store.ts'
import { deleteIdentitiesOf } from '../google/identity-store.ts'
import { voidLinks } from '../sign-in/void-links.ts'
import { eraseUser } from './user-store.ts'
import type { User } from './user-store.ts'
import { deleteSpelling } from './spelling-store.ts'
import type { Transaction } from '../../database/database.ts'
import { deleteButtonsOf, deletePause } from '../mails/mail-button-store.ts'

/**
 * After the commit the account neither works nor is shown, and its addresses and Google account are free. Also
 * deletes what a new account of the address would find. The caller holds the user's lock, and wakes the erasure
 * afterwards.
 */
export async function eraseAccount(trx: Transaction, { id, email }: User, nowMs: number): Promise<void> {
  await deleteIdentitiesOf(trx, id)
  // Before the buttons: this waits for a sender that is making links and buttons for the address.
  await voidLinks(trx, [email])
  await deleteButtonsOf(trx, email)
  await deletePause(trx, email)
  await deleteSpelling(trx, email)
  await deleteChangesOf(trx, id)
  await eraseUser(trx, id, nowMs)
  await recordAccountChange(trx, id, 'deleted', nowMs)
}
