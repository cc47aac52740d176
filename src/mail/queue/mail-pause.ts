/** Peace for an address whose holder said "this wasn't me": of the mails others can cause, one a day. */
import type { Transaction } from '../../database/database.ts'
import { findMailboxPause, findPause, recordMailDuringPause } from '../../domain/mails/mail-button-store.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import { deleteMail } from '../../domain/mails/mail-queue-store.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'

/** Between two mails to a paused address, in milliseconds. */
const ONE_A_DAY_MS = 24 * 3600 * 1000

/**
 * What becomes of a mail that is due. One that goes out during a pause has to offer the end of the
 * pause, so that nobody is locked out by somebody else's click.
 */
export type Verdict =
  | Readonly<{ fate: 'sent'; offersResume: boolean }>
  | Readonly<{ fate: 'postponed'; untilMs: number }>
  | Readonly<{ fate: 'dropped' }>

/** Decides it by the mail's kind and its address's pause. */
export async function judgeMail(trx: Transaction, mail: QueuedMail, nowMs: number): Promise<Verdict> {
  const { whilePaused } = mailKinds[mail.kind]
  const pause = whilePaused === 'sent' ? undefined : await findPauseOf(trx, mail)
  if (pause === undefined) return { fate: 'sent', offersResume: false }

  const nextMs = pause.mailed_at_ms === null ? nowMs : pause.mailed_at_ms + ONE_A_DAY_MS
  if (nextMs <= nowMs) return { fate: 'sent', offersResume: true }
  return whilePaused === 'dropped' ? { fate: 'dropped' } : { fate: 'postponed', untilMs: nextMs }
}

// An attacker has any number of `+tags`: of those that nobody has proven, peace for one is peace for all.
async function findPauseOf(trx: Transaction, { email, turn_rank: rank }: QueuedMail) {
  return (rank > 0 ? await findMailboxPause(trx, email) : undefined) ?? findPause(trx, email)
}

/** Takes a mail that was sent out of the queue, and counts it where its address is paused. */
export async function recordSent(trx: Transaction, mail: QueuedMail, nowMs: number): Promise<void> {
  await deleteMail(trx, mail.id)
  if (mailKinds[mail.kind].whilePaused !== 'sent') await recordMailDuringPause(trx, mail.email, nowMs)
}
