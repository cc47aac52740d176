/** The part of store-calls.ts for mail: queue, buttons, mailboxes and mail budgets. */
import type { Transaction } from '../../../src/database/database.ts'
import type { QueuedMailsTable } from '../../../src/database/tables/mail-tables.ts'
import type { Tables } from '../../../src/database/tables/tables.ts'
import * as limits from '../../../src/database/rate-limit-store.ts'
import * as spellings from '../../../src/domain/users/spelling-store.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import { takeOf } from '../../../src/lib/token-bucket.ts'
import * as buttons from '../../../src/domain/mails/mail-button-store.ts'
import * as mailStats from '../../../src/domain/mails/mail-queue-stats-store.ts'
import * as mails from '../../../src/domain/mails/mail-queue-store.ts'

/** The functions of a store by name; a function with several kinds of calls has a list. */
export type StoreCalls = Readonly<Record<string, Call | readonly Call[]>>
type Call = (trx: Transaction) => Promise<unknown>

export const mailStores: Readonly<Record<string, object>> = {
  'src/database/rate-limit-store.ts': limits,
  'src/domain/users/spelling-store.ts': spellings,
  'src/domain/mails/mail-button-store.ts': buttons,
  'src/domain/mails/mail-queue-stats-store.ts': mailStats,
  'src/domain/mails/mail-queue-store.ts': mails,
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 3600 * 1000
/** As in store-calls.ts. */
const SOME = 10
const bucketAt = (nowMs: number, n = 1) => takeOf(`bucket-${n}`, { count: 5, seconds: 5 }, nowMs)
const fresh = () => systemRandom.bytes(32).toString('hex')

type Sample = Readonly<{ email: string; button: Tables['mail_buttons']; mail: QueuedMailsTable; nowMs: number }>

export function mailStoreCalls({ email, button, mail, nowMs }: Sample): Record<string, StoreCalls> {
  const search = { nowMs, limit: 5, isOwnersOnly: false }
  return {
    'src/database/rate-limit-store.ts': {
      takeFromAll: (trx) =>
        limits.takeFromAll(
          trx,
          [1, 2, 3].map((n) => bucketAt(nowMs, n)),
        ),
      takeToken: (trx) => limits.takeToken(trx, bucketAt(nowMs)),
      findWhenAvailable: (trx) => limits.findWhenAvailable(trx, bucketAt(nowMs)),
      lowerFullAt: (trx) => limits.lowerFullAt(trx, 'bucket-1', nowMs),
      deleteExpiredWindows: (trx) => limits.deleteExpiredWindows(trx, nowMs, SOME),
      deleteFullBuckets: (trx) => limits.deleteFullBuckets(trx, nowMs, SOME),
    },
    'src/domain/users/spelling-store.ts': {
      insertSpelling: (trx) => spellings.insertSpelling(trx, email, fresh()),
      hasProvenSpelling: (trx) => spellings.hasProvenSpelling(trx, email),
      deleteSpelling: (trx) => spellings.deleteSpelling(trx, email),
    },
    'src/domain/mails/mail-button-store.ts': {
      insertButton: (trx) => buttons.insertButton(trx, { ...button, token_hash: fresh() }),
      findButton: (trx) => buttons.findButton(trx, 'not_me', button.token_hash, nowMs),
      findAddressOfLink: (trx) => buttons.findAddressOfLink(trx, button.link_hash ?? ''),
      markAllUsed: (trx) => buttons.markAllUsed(trx, 'undo_email', email, nowMs),
      markUsed: (trx) => buttons.markUsed(trx, button.token_hash, nowMs),
      recordSignIn: (trx) => buttons.recordSignIn(trx, button.link_hash ?? '', fresh()),
      deleteExpiredButtons: (trx) => buttons.deleteExpiredButtons(trx, nowMs, SOME),
      findPause: (trx) => buttons.findPause(trx, email),
      findMailboxPause: (trx) => buttons.findMailboxPause(trx, email),
      insertPause: (trx) => buttons.insertPause(trx, email, nowMs),
      recordMailDuringPause: (trx) => buttons.recordMailDuringPause(trx, email, nowMs),
      deletePause: (trx) => buttons.deletePause(trx, email),
      findButtonsOf: (trx) => buttons.findButtonsOf(trx, email),
      deleteButtonsOf: [
        (trx) => buttons.deleteButtonsOf(trx, email),
        (trx) => buttons.deleteButtonsOf(trx, email, 'confirm_email'),
      ],
      deleteOldPauses: (trx) => buttons.deleteOldPauses(trx, nowMs - 365 * DAY_MS, SOME),
    },
    'src/domain/mails/mail-queue-stats-store.ts': {
      findQueueStats: [true, false].map(
        (isOwnersOnly) => (trx: Transaction) => mailStats.findQueueStats(trx, nowMs - DAY_MS, isOwnersOnly),
      ),
    },
    'src/domain/mails/mail-queue-store.ts': {
      findDueMails: [
        // Nothing is due: a poll of an idle queue.
        (trx) => mails.findDueMails(trx, { ...search, nowMs: nowMs - DAY_MS }),
        (trx) => mails.findDueMails(trx, search),
      ],
      leaseMail: (trx) => mails.leaseMail(trx, { id: mail.id, nowMs, untilMs: nowMs + MINUTE_MS }),
      postponeMail: (trx) => mails.postponeMail(trx, mail, nowMs),
      holdMail: (trx) => mails.holdMail(trx, mail.id, nowMs, null),
      findMailsWithOlderLink: (trx) =>
        mails.findMailsWithOlderLink(trx, { mailbox: mail.email, email: 'other@example.com', nowMs }),
      countHeldMails: (trx) => mails.countHeldMails(trx, mail.email, SOME),
      deleteStaleMails: (trx) => mails.deleteStaleMails(trx, nowMs, SOME),
      makeDueFromFuture: (trx) => mails.makeDueFromFuture(trx, nowMs, nowMs, SOME),
      enqueueMail: (trx) => mails.enqueueMail(trx, { ...mail, id: fresh() }),
      enqueueNotice: (trx) => mails.enqueueNotice(trx, { ...mail, id: fresh(), tells_since_ms: nowMs }),
      findMailsTo: (trx) => mails.findMailsTo(trx, email),
      deleteMailsTo: [(trx) => mails.deleteMailsTo(trx, email), (trx) => mails.deleteMailsTo(trx, email, 'sign_in')],
      releaseMailsTo: (trx) => mails.releaseMailsTo(trx, email, nowMs),
      deleteAttemptedMail: (trx) => mails.deleteAttemptedMail(trx, 'sign_in', email),
      deleteMail: (trx) => mails.deleteMail(trx, mail.id),
    },
  }
}
