/** How each kind of mail is treated during a pause, and how long it is retried. */
import type { MailKind } from '../../database/tables/mail-tables.ts'
import { DAY_MS } from '../../lib/clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** Of a button in a mail, from when the mail is sent. */
export const BUTTON_LIFETIME_MS = 7 * DAY_MS

export type MailTreatment = Readonly<{
  /**
   * What a pause does to a mail beyond the one of the day. `sent`: strangers cannot cause this kind. `postponed`: it
   * reports an action, so nobody may suppress it.
   */
  whilePaused: 'sent' | 'postponed' | 'dropped'
  /** Retry period while the mail server fails. */
  triedForMs: number
  /** Longest time between two attempts, before jitter. */
  longestDelayMs: number
}>

/** A new kind does not compile until each property is set. */
export const mailKinds: Readonly<Record<MailKind, MailTreatment>> = {
  // A person who waits for a link has left or asked again within the hour.
  sign_in: { whilePaused: 'dropped', triedForMs: HOUR_MS, longestDelayMs: MINUTE_MS },
  // As `sign_in`: a person waits for the link.
  email_change: { whilePaused: 'dropped', triedForMs: HOUR_MS, longestDelayMs: MINUTE_MS },
  // A notice of a break-in has to outlast a mail server's weekend outage, and is less urgent.
  signup_notice: { whilePaused: 'postponed', triedForMs: 3 * DAY_MS, longestDelayMs: 15 * MINUTE_MS },
  google_notice: { whilePaused: 'sent', triedForMs: 3 * DAY_MS, longestDelayMs: 15 * MINUTE_MS },
  sign_in_notice: { whilePaused: 'sent', triedForMs: 3 * DAY_MS, longestDelayMs: 15 * MINUTE_MS },
  email_notice: { whilePaused: 'sent', triedForMs: 3 * DAY_MS, longestDelayMs: 15 * MINUTE_MS },
  security_notice: { whilePaused: 'sent', triedForMs: 3 * DAY_MS, longestDelayMs: 15 * MINUTE_MS },
}
