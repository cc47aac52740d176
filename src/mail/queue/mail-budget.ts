/** How many mails others can cause to a mailbox: what goes beyond waits, and never refuses a request (docs/decisions/0029). */
import type { Config } from '../../config/settings.ts'
import type { Queries, Transaction } from '../../database/database.ts'
import { findWhenFilled, takeToken } from '../../database/rate-limit-store.ts'
import { hasProvenSpelling } from '../../database/spelling-store.ts'
import { mailboxOf } from '../../lib/email-address.ts'
import { sha256 } from '../../lib/hash.ts'
import { takeOf } from '../../lib/token-bucket.ts'
import type { Take } from '../../lib/token-bucket.ts'
import type { Rate } from '../../config/parsers.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import { countHeldMails, findMailsBefore } from '../../domain/mails/mail-queue-store.ts'

/** Until when a mail waits. */
export type Hold = Readonly<{
  untilMs: number
  /** Not the mailbox is the reason: all mail to addresses that nobody has proven waits. */
  isOfAllUnproven: boolean
  /** It would wait longer than anybody waits for it, or behind more than the mailbox can get by then. */
  isInVain: boolean
}>

/** How long the notice of a signup leaves the last token alone, in milliseconds: no flood keeps it away for longer. */
const NOTICE_WAITS_MS = 24 * 3_600_000

/** Takes a mail from its mailbox's budget, at its first attempt. @returns `undefined`: it may go */
export async function takeFromBudget(
  config: Config,
  trx: Transaction,
  mail: QueuedMail,
  nowMs: number,
): Promise<Hold | undefined> {
  if (config.rateLimits === 'off' || mail.attempts > 1) return undefined
  const mailbox = mailboxOf(mail.email)
  const { whilePaused, triedForMs } = mailKinds[mail.kind]
  const hold = (untilMs: number): Hold => ({
    untilMs,
    isOfAllUnproven: false,
    isInVain: untilMs > mail.created_at_ms + triedForMs,
  })

  // What a credential's holder did is told on a budget of its own: no flood of links keeps it from the owner.
  if (whilePaused === 'sent') {
    const untilMs = await takeToken(trx, takeOf(`mail-${mail.kind}:${sha256(mailbox)}`, config.limitMailNotices, nowMs))
    return untilMs === undefined ? undefined : { ...hold(untilMs), isInVain: false }
  }

  const isUnproven = mail.turn_rank > 0
  if (isUnproven) {
    const untilMs = await findWhenUnprovenMayGo(config, trx, nowMs)
    if (untilMs !== undefined) return { ...hold(untilMs), isOfAllUnproven: true }
  }
  const isOwners = !isUnproven || (mail.email === mailbox && !(await hasProvenSpelling(trx, mailbox)))
  const { limitMailMailbox: rate } = config
  // A notice has no link: one that took the last token would leave the owner without any for as long.
  const mayTakeLast = mail.kind === 'sign_in' || nowMs >= mail.created_at_ms + NOTICE_WAITS_MS
  const waits =
    !isOwners || !mayTakeLast || (await findMailsBefore(trx, { mailbox, email: mail.email, nowMs })).length > 0
  // The last token is the owner's: without it a stranger's `+tags` would keep the owner's own link away.
  const untilMs = await takeToken(trx, takeOf(`mail:${sha256(mailbox)}`, rate, nowMs, { needed: waits ? 2 : 1 }))
  if (untilMs !== undefined) {
    const isOneOfMany = !isOwners && (await countHeldMails(trx, mailbox, mostHeld(rate))) >= mostHeld(rate)
    return { ...hold(untilMs), isInVain: hold(untilMs).isInVain || isOneOfMany }
  }
  // Several at once may go beyond it by one each.
  if (isUnproven) await takeToken(trx, ofAllUnproven(config, nowMs))
  return undefined
}

/** When mail to addresses that nobody has proven goes on, in milliseconds; `undefined`: it goes. */
export async function findWhenUnprovenMayGo(config: Config, db: Queries, nowMs: number): Promise<number | undefined> {
  return config.rateLimits === 'off' ? undefined : findWhenFilled(db, ofAllUnproven(config, nowMs))
}

function ofAllUnproven({ limitMailUnproven }: Config, nowMs: number): Take {
  return takeOf('mail-unproven', limitMailUnproven, nowMs)
}

/** As many as a mailbox can get while a link is worth sending: a burst, and an hour of refills. */
function mostHeld({ count, seconds }: Rate): number {
  return Math.min(100, count + Math.floor((3600 * count) / seconds))
}
