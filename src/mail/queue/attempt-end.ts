/** What an attempt to send a mail leads to. */
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../../domain/deps.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import { deleteMail, postponeMail } from '../../domain/mails/mail-queue-store.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import { failureCause } from '../../lib/failure-cause.ts'
import { isRefusedForNow, PermanentMailError } from '../smtp-transport.ts'
import { recordSent } from './mail-pause.ts'
import type { MailToCompose } from './composer.ts'

export type AttemptEnd = Readonly<{
  about: ReturnType<typeof aboutOf>
  record(trx: Transaction): Promise<unknown>
  /** Call it when the record is committed. */
  report(): void
}>

/** What log lines say of a mail: neither its address nor its content. */
export const aboutOf = (mail: QueuedMail) => ({ mailId: mail.id, kind: mail.kind, attempt: mail.attempts })

/** `outcomes`: of the attempts reported so far. */
export function createAttemptEnds({ clock, random, log }: Pick<DomainDeps, 'clock' | 'random' | 'log'>) {
  const outcomes = { sent: 0, refused: 0, failed: 0, given_up: 0 }

  function sent(mail: MailToCompose): AttemptEnd {
    const about = aboutOf(mail)
    return {
      about,
      record: (trx) => recordSent(trx, mail, clock.now()),
      report() {
        outcomes.sent += 1
        log.info(about, 'mail sent')
      },
    }
  }

  function failed(mail: QueuedMail, error: unknown): AttemptEnd {
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    const about = { ...aboutOf(mail), code, responseCode, cause: failureCause(error) }
    const { triedForMs, longestDelayMs } = mailKinds[mail.kind]
    const dueAtMs = clock.now() + backoffMs(mail.attempts, longestDelayMs)
    if (error instanceof PermanentMailError || dueAtMs > mail.created_at_ms + triedForMs) {
      return {
        about,
        record: (trx) => deleteMail(trx, mail.id),
        report() {
          outcomes.given_up += 1
          log.error(about, 'mail given up')
        },
      }
    }
    return {
      about,
      record: (trx) => postponeMail(trx, mail, dueAtMs),
      report() {
        outcomes[isRefusedForNow(error) ? 'refused' : 'failed'] += 1
        log.warn(about, 'mail not sent, will be tried again')
      },
    }
  }

  // 1, 2, 4 … seconds, plus up to 50 % jitter, so that a recovering server is not overloaded.
  function backoffMs(attempts: number, longestMs: number): number {
    const shortestMs = Math.min(longestMs, 1000 * 2 ** (attempts - 1))
    return Math.round(shortestMs * (1 + random.bytes(1).readUInt8() / 512))
  }

  return { sent, failed, outcomes }
}
