import type { Transaction } from '../database/database.ts'
import type { MailButtonsTable } from '../database/tables/tables.ts'
import { sha256 } from '../lib/hash.ts'
import { insertButton } from '../domain/mails/mail-button-store.ts'
import { BUTTON_LIFETIME_MS } from '../domain/mails/mail-kinds.ts'
import type { QueuedMail } from '../domain/mails/mail-queue-store.ts'
import type { ComposeDeps } from './queue/composer.ts'

const pages = {
  not_me: '/not-me',
  resume_mail: '/resume-mail',
  confirm_email: '/confirm-email',
  undo_email: '/undo-email',
} as const

/**
 * Creates a button and returns the URL of its page. The token is in the fragment, which no request of a browser, proxy
 * or mail scanner carries; only a POST by the page acts.
 * @param about what the "not me" of this mail has to undo; `expiresAtMs`: default seven days from now
 */
export async function addButton(
  { config, clock, random }: ComposeDeps,
  trx: Transaction,
  mail: QueuedMail,
  action: MailButtonsTable['action'],
  about: Readonly<{ linkHash?: string; tellsSinceMs?: number; expiresAtMs?: number }> = {},
): Promise<string> {
  const token = random.bytes(32).toString('base64url')
  const nowMs = clock.now()
  await insertButton(trx, {
    token_hash: sha256(token),
    action,
    email: mail.email,
    mail_kind: mail.kind,
    mailed_at_ms: nowMs,
    expires_at_ms: about.expiresAtMs ?? nowMs + BUTTON_LIFETIME_MS,
    link_hash: about.linkHash ?? null,
    sign_in_id: null,
    tells_since_ms: about.tellsSinceMs ?? null,
    used_at_ms: null,
  })
  return `${config.publicUrl}${pages[action]}#token=${token}`
}
