/** Deletes an account at once, in one short transaction; its rows go afterwards, in batches (domain/users/account-erasure.ts). */
import { deleteIdentitiesOf } from '../google/identity-store.ts'
import { deleteLinksOf } from '../sign-in/magic-link-store.ts'
import { eraseUser } from './user-store.ts'
import type { User } from './user-store.ts'
import { deleteSpelling } from '../../database/spelling-store.ts'
import type { Transaction } from '../../database/database.ts'
import { deleteButtonsOf, deletePause } from '../mails/mail-button-store.ts'
import { deleteMailsTo } from '../mails/mail-queue-store.ts'

/**
 * Deletes it: from the commit on nothing of it works or is shown, and its address and Google account are free. What a
 * new account of the address would find goes here. The caller holds the user's lock, and wakes the erasure afterwards.
 */
export async function eraseAccount(trx: Transaction, { id, email }: User, nowMs: number): Promise<void> {
  await deleteIdentitiesOf(trx, id)
  // First what is queued: a sender that is making links and buttons for it is waited for.
  await deleteMailsTo(trx, email)
  await deleteLinksOf(trx, email)
  await deleteButtonsOf(trx, email)
  await deletePause(trx, email)
  await deleteSpelling(trx, email)
  await eraseUser(trx, id, nowMs)
}
