import type { Queries } from '../../database/database.ts'
import type { MailButton } from '../mails/mail-button-store.ts'
import { findSignIn, findSignIns } from '../sign-in/sign-in-store.ts'
import type { SignIn } from '../sign-in/sign-in-store.ts'

/**
 * The sign-ins on record that a mail led to or reports, oldest first: by the link of a sign-in mail, or from new
 * browsers. The latter include later sign-ins from the same browser, which was no longer new.
 */
export async function findReportedSignIns(
  db: Queries,
  userId: string,
  { mail_kind: kind, sign_in_id: id, tells_since_ms: sinceMs, mailed_at_ms: mailedAtMs }: MailButton,
): Promise<SignIn[]> {
  if (kind === 'sign_in_notice') {
    const signIns = await findSignIns(db, userId, sinceMs ?? 0)
    const told = signIns.filter((one) => one.is_new_browser === 1 && one.created_at_ms <= mailedAtMs)
    return signIns.filter(({ browser }) => told.some((one) => one.browser === browser))
  }
  const signIn = await findSignIn(db, userId, id ?? '')
  return signIn === undefined ? [] : [signIn]
}
