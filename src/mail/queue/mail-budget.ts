/** Limits the mails that others can cause to a mailbox: excess mails wait (docs/decisions/0029). */
import type { Config } from '../../config/settings.ts'
import type { Queries, Transaction } from '../../database/database.ts'
import { findWhenAvailable, takeToken } from '../../database/rate-limit-store.ts'
import { hasProvenSpelling } from '../../domain/users/spelling-store.ts'
import { mailboxOf } from '../../lib/text/email-address.ts'
import { sha256 } from '../../lib/hash.ts'
import { takeOf } from '../../lib/token-bucket.ts'
import type { Take } from '../../lib/token-bucket.ts'
import type { Rate } from '../../config/parsers.ts'
import { mailKinds } from '../../domain/mails/mail-kinds.ts'
import type { QueuedMail } from '../../domain/mails/mail-queue-store.ts'
import { countHeldMails, findMailsWithOlderLink } from '../../domain/mails/mail-queue-store.ts'

export type Hold = Readonly<{
  untilMs: number
  /** All mail to unproven addresses waits; the reason is not the mailbox. */
  appliesToAllUnproven: boolean
  /** The mail would wait until it is useless, or behind more mails than the mailbox can get in that time. */
  isPointless: boolean
}>

/** The notice of a signup does not take the last token for this long; after that, a flood no longer delays it. */
const NOTICE_WAITS_MS = 24 * 3_600_000

/** Takes a token from the mailbox's budget, at a mail's first attempt. @returns `undefined` when the mail may go out */
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
    appliesToAllUnproven: false,
    isPointless: untilMs > mail.created_at_ms + triedForMs,
  })

  // A budget of their own: a flood of links must not keep notices about a credential's use from the owner.
  if (whilePaused === 'sent') {
    const untilMs = await takeToken(trx, takeOf(`mail-${mail.kind}:${sha256(mailbox)}`, config.limitMailNotices, nowMs))
    return untilMs === undefined ? undefined : { ...hold(untilMs), isPointless: false }
  }

  const isUnproven = mail.turn_rank > 0
  if (isUnproven) {
    const untilMs = await findUnprovenMailResumeTime(config, trx, nowMs)
    if (untilMs !== undefined) return { ...hold(untilMs), appliesToAllUnproven: true }
  }
  const isOwners = !isUnproven || (mail.email === mailbox && !(await hasProvenSpelling(trx, mailbox)))
  const { limitMailMailbox: rate } = config
  // A notice has no link: if it took the last token, the owner would get no link for as long.
  const mayTakeLast = mail.kind === 'sign_in' || nowMs >= mail.created_at_ms + NOTICE_WAITS_MS
  const waits =
    !isOwners || !mayTakeLast || (await findMailsWithOlderLink(trx, { mailbox, email: mail.email, nowMs })).length > 0
  // The last token is the owner's: otherwise a stranger's `+tags` would keep the owner's own link away.
  const untilMs = await takeToken(trx, takeOf(`mail:${sha256(mailbox)}`, rate, nowMs, { needed: waits ? 2 : 1 }))
  if (untilMs !== undefined) {
    const isOneOfMany = !isOwners && (await countHeldMails(trx, mailbox, maxHeld(rate))) >= maxHeld(rate)
    return { ...hold(untilMs), isPointless: hold(untilMs).isPointless || isOneOfMany }
  }
  // Concurrent transactions may exceed the budget by one each.
  if (isUnproven) await takeToken(trx, ofAllUnproven(config, nowMs))
  return undefined
}

/** When mail to unproven addresses may continue, in milliseconds; `undefined` when it may go at once. */
export async function findUnprovenMailResumeTime(
  config: Config,
  db: Queries,
  nowMs: number,
): Promise<number | undefined> {
  return config.rateLimits === 'off' ? undefined : findWhenAvailable(db, ofAllUnproven(config, nowMs))
}

function ofAllUnproven({ limitMailUnproven }: Config, nowMs: number): Take {
  return takeOf('mail-unproven', limitMailUnproven, nowMs)
}

/** What a mailbox can get while a link is worth sending: a burst, and an hour of refills. */
function maxHeld({ count, seconds }: Rate): number {
  return Math.min(100, count + Math.floor((3600 * count) / seconds))
}
