import type { MailKind } from '../../database/tables/mail-tables.ts'
import { mailboxOf } from '../../lib/text/email-address.ts'
import { clientNetworks } from '../../lib/network.ts'
import type { EventDeps } from '../deps.ts'
import type { QueuedMail } from './mail-queue-store.ts'

/** An unsaved mail that is due at once. @param mail `ip`, `browser`: of the request, for mails that anybody can cause */
export function newMail(
  { clock, random }: EventDeps,
  mail: Readonly<{
    kind: MailKind
    email: string
    locale: string
    redirectTo?: string | undefined
    ip?: string
    browser?: string | null
  }>,
): QueuedMail {
  const nowMs = clock.now()
  return {
    id: random.uuid(),
    kind: mail.kind,
    email: mail.email,
    redirect_to: mail.redirectTo ?? null,
    locale: mail.locale,
    attempts: 0,
    due_at_ms: nowMs,
    leased_until_ms: null,
    created_at_ms: nowMs,
    tells_since_ms: null,
    mailbox: mailboxOf(mail.email),
    network: mail.ip === undefined ? null : clientNetworks(mail.ip).wide,
    turn_rank: 0,
    turn_at_ms: nowMs,
    held_until_ms: null,
    browser: mail.browser ?? null,
    asked_at_ms: nowMs,
    asked_by_several: 0,
  }
}
