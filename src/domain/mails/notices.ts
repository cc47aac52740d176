import type { Transaction } from '../../database/database.ts'
import type { EventDeps } from '../deps.ts'
import { DEFAULT_LANGUAGE } from '../languages.ts'
import type { User } from '../users/user-store.ts'
import { enqueueNotice } from './mail-queue-store.ts'
import { newMail } from './new-mail.ts'

/**
 * Queues the notice in the transaction of the change. An unclaimed address gets none: otherwise a stranger who signed
 * up with it could send its holder mail, with a key's name as the text.
 * @param sinceMs not later than any change that the notice reports and its button undoes
 */
export async function queueNotice(
  deps: EventDeps,
  trx: Transaction,
  kind: 'security_notice' | 'google_notice' | 'sign_in_notice' | 'email_notice',
  { email, locale, claimed_at_ms: claimedAtMs }: User,
  sinceMs: number,
): Promise<void> {
  if (claimedAtMs === null) return
  const mail = newMail(deps, { kind, email, locale: locale ?? DEFAULT_LANGUAGE })
  await enqueueNotice(trx, { ...mail, tells_since_ms: sinceMs })
}
