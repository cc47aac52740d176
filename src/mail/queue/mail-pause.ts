/** Pauses mail to an address whose holder said "this wasn't me": of the mails others can cause, one a day goes out. */
import type { Transaction } from '../../database/database.ts'
import { findMailboxPause, findPause, recordMailDuringPause } from '../../domain/mails/mail-button-store.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import { deleteMail } from '../../domain/mails/mail-queue-store.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { MailToCompose } from './composer.ts'

/**
 * What happens to a due mail. A mail that goes out during a pause must offer to end it, so that nobody is locked out by
 * somebody else's click.
 */
export type PauseDecision =
  | Readonly<{ action: 'sent'; offersResume: boolean }>
  | Readonly<{ action: 'postponed'; untilMs: number }>
  | Readonly<{ action: 'dropped' }>

export async function decideByPause(trx: Transaction, mail: QueuedMail, nowMs: number): Promise<PauseDecision> {
  const { whilePaused } = mailKinds[mail.kind]
  const pause = whilePaused === 'sent' ? undefined : await findPauseOf(trx, mail)
  if (pause === undefined) return { action: 'sent', offersResume: false }

  const nextMs = pause.mailed_at_ms === null ? nowMs : pause.mailed_at_ms + DAY_MS
  if (nextMs <= nowMs) return { action: 'sent', offersResume: true }
  return whilePaused === 'dropped' ? { action: 'dropped' } : { action: 'postponed', untilMs: nextMs }
}

// An attacker has any number of `+tags`: a pause of one unproven address holds for all of the mailbox.
async function findPauseOf(trx: Transaction, { email, turn_rank: rank }: QueuedMail) {
  return (rank > 0 ? await findMailboxPause(trx, email) : undefined) ?? findPause(trx, email)
}

/** Deletes a sent mail from the queue. If its address is paused, it is the mail of the day. */
export async function recordSent(trx: Transaction, mail: MailToCompose, nowMs: number): Promise<void> {
  await deleteMail(trx, mail.id)
  if (mail.offersResume) await recordMailDuringPause(trx, mail.email, nowMs)
}
