/** Deletes an account: all of it goes, and what is left keeps its tokens dead. */
import { deleteEventsOfUser } from '../../accounts/event-store.ts'
import { deleteAnswersOfUser } from '../../accounts/idempotency-store.ts'
import { deleteIdentitiesOf } from '../../accounts/identity-store.ts'
import { deleteMakersOfUser } from '../../accounts/key-maker-store.ts'
import { deleteKeysOfUser } from '../../accounts/key-store.ts'
import { deleteLinksOf } from '../../accounts/link-store.ts'
import { deletePaymentLinksOfUser } from '../../accounts/payment-link-store.ts'
import { eraseUser } from '../../accounts/user-store.ts'
import type { User } from '../../accounts/user-store.ts'
import { deleteSpelling } from '../../db/spelling-store.ts'
import type { DbTransaction } from '../../db/db.ts'
import { deleteButtonsOf, deletePause } from '../../mail/button-store.ts'
import { deleteMailsTo } from '../../mail/mail-store.ts'

/** Deletes it. The caller holds the user's lock. */
export async function eraseAccount(trx: DbTransaction, { id, email }: User, nowMs: number): Promise<void> {
  await deleteEventsOfUser(trx, id)
  await deleteMakersOfUser(trx, id)
  await deleteKeysOfUser(trx, id)
  await deleteIdentitiesOf(trx, id)
  await deletePaymentLinksOfUser(trx, id)
  await deleteAnswersOfUser(trx, id)
  // First what is queued: a sender that is making links and buttons for it is waited for.
  await deleteMailsTo(trx, email)
  await deleteLinksOf(trx, email)
  await deleteButtonsOf(trx, email)
  await deletePause(trx, email)
  await deleteSpelling(trx, email)
  await eraseUser(trx, id, nowMs)
}
