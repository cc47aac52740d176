import type { Transaction } from '../../database/database.ts'
import type { EventDeps } from '../deps.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { BUTTON_LIFETIME_MS, mailKinds } from '../mails/mail-kinds.ts'
import { enqueueMail } from '../mails/mail-queue-store.ts'
import { newMail } from '../mails/new-mail.ts'
import { queueNotice } from '../mails/notices.ts'
import type { User } from '../users/user-store.ts'
import { insertPendingChange } from './address-change-store.ts'

/** Of the link to the new address. OWASP ASVS 6.5.5 allows no more than ten minutes. */
export const CHANGE_LINK_LIFETIME_MS = 10 * 60_000

/**
 * Asks for a change of the address: mails a link to the new one, and a notice to the present one. It writes the same
 * for every new address, so that nobody learns whether an address has an account. The caller holds the user's lock and
 * wakes the mailer.
 */
export async function askChange(
  deps: EventDeps,
  trx: Transaction,
  user: User,
  asked: Readonly<{ newEmail: string; signInId: string; locale: string; source: EventSource }>,
): Promise<void> {
  const { newEmail, signInId, locale, source } = asked
  const nowMs = deps.clock.now()
  // Mails before changes: a sender holds a mail's row while it reads the changes.
  await enqueueMail(
    trx,
    newMail(deps, { kind: 'email_change', email: newEmail, locale, ip: source.ip, browser: source.browser }),
  )
  await queueNotice(deps, trx, 'email_notice', user, nowMs)
  await insertPendingChange(trx, {
    id: deps.random.uuid(),
    user_id: user.id,
    old_email: user.email,
    new_email: newEmail,
    sign_in_id: signInId,
    token_version: user.token_version,
    asked_at_ms: nowMs,
    expires_at_ms: nowMs + mailKinds.email_change.triedForMs + CHANGE_LINK_LIFETIME_MS,
    confirmed_at_ms: null,
    undo_until_ms: null,
    ended_at_ms: null,
    deletion_asked_at_ms: null,
    identities: null,
    // "This wasn't me" in the notice finds the sign-in by this row.
    kept_until_ms: nowMs + mailKinds.email_notice.triedForMs + BUTTON_LIFETIME_MS,
  })
  await recordEvent(trx, deps, { userId: user.id, type: 'email_change_asked', detail: newEmail }, source)
}
