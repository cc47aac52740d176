/** What each kind of mail is worth: what a pause of its address does to it, and how long it is tried. */
import type { MailKind } from '../../database/tables/mail-tables.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** How a kind of mail is treated. */
export type MailTreatment = Readonly<{
  /**
   * What a pause does to a mail that is not the one of the day. `sent`: it is none of those that others
   * can cause. `postponed`: it tells of what somebody did, so nobody may keep it from arriving.
   */
  whilePaused: 'sent' | 'postponed' | 'dropped'
  /** How long it is tried for while the mail server has troubles. */
  triedForMs: number
  /** The longest time between two attempts, before chance adds to it. */
  longestDelayMs: number
}>

/** Every kind; a new one does not compile before its author has thought of each. */
export const mailKinds: Readonly<Record<MailKind, MailTreatment>> = {
  // Whoever waits for a link has gone, or asked again, within the hour.
  sign_in: { whilePaused: 'dropped', triedForMs: HOUR_MS, longestDelayMs: MINUTE_MS },
  // What tells of a break-in outlasts a weekend of a mail server that is away, and is in less of a hurry.
  signup_notice: { whilePaused: 'postponed', triedForMs: 3 * DAY_MS, longestDelayMs: 15 * MINUTE_MS },
  google_notice: { whilePaused: 'sent', triedForMs: 3 * DAY_MS, longestDelayMs: 15 * MINUTE_MS },
  security_notice: { whilePaused: 'sent', triedForMs: 3 * DAY_MS, longestDelayMs: 15 * MINUTE_MS },
}
