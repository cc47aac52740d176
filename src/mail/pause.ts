/** Peace for an address whose holder said "this wasn't me": of the mails others can cause, one a day. */
import type { DbTransaction, MailKind } from '../db/db.ts'
import { findPause, recordMailDuringPause } from './action-store.ts'
import { deleteMail } from './mail-store.ts'
import type { QueuedMail } from './mail-store.ts'

/** Between two mails to a paused address, in milliseconds. */
const ONE_A_DAY_MS = 24 * 3600 * 1000

/** The mails that anybody can cause. What tells of the account itself is never held back. */
const pausable: ReadonlySet<MailKind> = new Set(['sign_in', 'signup_notice'])

/**
 * Whether a mail that others can cause goes out now: `paused` tells that it is the one of the day
 * and has to offer the end of the pause, so that nobody is locked out by somebody else's click.
 */
export async function mayBeSent(
  trx: DbTransaction,
  email: string,
  nowMs: number,
): Promise<'yes' | 'paused' | 'no'> {
  const pause = await findPause(trx, email)
  if (pause === undefined) return 'yes'
  return pause.mailed_at_ms === null || pause.mailed_at_ms + ONE_A_DAY_MS <= nowMs ? 'paused' : 'no'
}

/** Takes a mail that was sent out of the queue, and counts it where its address is paused. */
export async function recordSent(trx: DbTransaction, mail: QueuedMail, nowMs: number): Promise<void> {
  await deleteMail(trx, mail.id)
  if (pausable.has(mail.kind)) await recordMailDuringPause(trx, mail.email, nowMs)
}
