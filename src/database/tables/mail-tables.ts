import { mailboxOf } from '../../lib/text/email-address.ts'

export type MailKind =
  | 'sign_in'
  | 'signup_notice'
  | 'security_notice'
  | 'google_notice'
  | 'sign_in_notice'
  | 'email_change'
  | 'email_notice'

/** A mail to send. It holds no token: tokens are made when the mail is sent. */
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
  /** The mail reports events since this time; null: it reports none. */
  tells_since_ms: number | null
  /** Null: queued by an older version. */
  mailbox: string | null
  /** The client network that caused the mail; networks take turns. Null: not caused by another client's request. */
  network: string | null
  /** 0: the address is proven; 1: sent after all mails of rank 0. */
  turn_rank: number
  /** Its place in line; null: it waits for `due_at_ms`, outside of the lines. */
  turn_at_ms: number | null
  /** Held back deliberately until then; null: never. */
  held_until_ms: number | null
  /** Of the request, from a closed list (`src/lib/text/browser-words.ts`); null: unknown, or of several requests. */
  browser: string | null
  /** The latest request. Null, or before `created_at_ms`: an older version queued the mail or a further request. */
  asked_at_ms: number | null
  /** 1: requests from different networks or browsers became this mail. */
  asked_by_several: number
}

/** A proven address with a `+tag` or optional dots, and its mailbox. */
export interface SpelledMailboxesTable {
  email: string
  mailbox: string
}

/** Stored instead of an address for the pause of a whole mailbox; an address contains no colon. */
export const mailboxKeyOf = (email: string): string => `mailbox:${mailboxOf(email)}`
