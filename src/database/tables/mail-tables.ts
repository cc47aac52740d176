/** The tables of the mail queue, as their rows are. */
import { mailboxOf } from '../../lib/email-address.ts'

/** What mails there are. */
export type MailKind = 'sign_in' | 'signup_notice' | 'security_notice' | 'google_notice'

/** A mail that has to go out. No token is here: it is made when the mail is sent. */
export interface QueuedMailsTable {
  id: string
  kind: MailKind
  email: string
  redirect_to: string | null
  locale: string
  attempts: number
  due_at_ms: number
  leased_until_ms: number | null
  created_at_ms: number
  /** From when on the mail tells what happened; null: it tells no events. */
  tells_since_ms: number | null
  /** The mailbox of the address, whichever its spelling; null: queued by an older version. */
  mailbox: string | null
  /** The client network that caused it; networks take turns. Null: nobody else's request did. */
  network: string | null
  /** 0: to an address that is proven; 1: after all of those. */
  turn_rank: number
  /** Its place in line; null: it waits until it is due, out of line. */
  turn_at_ms: number | null
  /** Until when it was held back on purpose; null: never. */
  held_until_ms: number | null
}

/** A proven address with a `+tag` or needless dots, and the mailbox that it is a spelling of. */
export interface SpelledMailboxesTable {
  email: string
  mailbox: string
}

/** Of a pause of a mailbox, what stands in place of an address, which has no colon. */
export const mailboxKeyOf = (email: string): string => `mailbox:${mailboxOf(email)}`
