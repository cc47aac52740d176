import type { Transaction } from '../../database/database.ts'
import type { MailKind } from '../../database/tables/mail-tables.ts'
import { deleteMailsTo } from '../mails/mail-queue-store.ts'
import { deleteLinksOf } from './magic-link-store.ts'

/**
 * Deletes queued mails to addresses, and then the links mailed to them. Locks the mails, then the links.
 * @param kinds of the mails; absent: all
 */
export async function voidLinks(
  trx: Transaction,
  emails: readonly string[],
  kinds?: readonly MailKind[],
): Promise<void> {
  // One order: two calls with the same addresses must not deadlock.
  const sorted = [...new Set(emails)].toSorted()
  // Mails before links: this waits for a mail that is being sent, whose link exists by then.
  for (const email of sorted) for (const kind of kinds ?? [undefined]) await deleteMailsTo(trx, email, kind)
  for (const email of sorted) await deleteLinksOf(trx, email)
}
