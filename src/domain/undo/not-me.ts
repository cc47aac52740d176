/** "This wasn't me": the holder of a mailbox disowns a mail, and its consequences are undone (docs/decisions/0012). */
import { RunAgainError } from '../../database/database.ts'
import type { Transaction } from '../../database/database.ts'
import { findChangesBetween, findUndoableChanges } from '../address-change/address-change-store.ts'
import { voidLinks } from '../sign-in/void-links.ts'
import { lockFormerUser } from '../address-change/former-user.ts'
import { undoChange } from './undo-change.ts'
import type { EventDeps } from '../deps.ts'
import { findLeakedKeys } from '../events/event-store.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { deleteIdentity, findIdentitiesOf } from '../google/identity-store.ts'
import { familyOf, familyOfSignIns, familyOfTimeSpan, familySince, signInsOfTimeSpan } from '../keys/key-family.ts'
import { findMakersUpToBound, MAX_MAKERS } from '../keys/key-maker-store.ts'
import type { KeyMaker } from '../keys/key-maker-store.ts'
import { deleteButtonsOf, findButton, findPause, insertPause, markUsed } from '../mails/mail-button-store.ts'
import type { MailButton } from '../mails/mail-button-store.ts'
import { clearDisownedName } from './clear-name.ts'
import { findUserByEmail, incrementTokenVersion, lockUser } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'
import { disownConnections } from './disowned-connections.ts'
import { findReportedSignIns } from './reported-sign-ins.ts'
import { withdrawKeys } from './withdraw-keys.ts'

/**
 * Disowns the mail of a button: voids the address's links, pauses its mail and undoes what the mail reports. Locks the
 * user, then the mails, then the links. A second call changes nothing.
 * @param tokenHash of the button
 * @returns false when there is no such button
 * @throws {RunAgainError}
 */
export async function disownMail(
  deps: EventDeps,
  trx: Transaction,
  tokenHash: string,
  source: EventSource,
): Promise<boolean> {
  const nowMs = deps.clock.now()
  const action = await findButton(trx, 'not_me', tokenHash, nowMs)
  if (action === undefined) return false
  // Each button acts once: a person with an old mail must not be able to void every new link.
  if (action.used_at_ms !== null) return true

  // Lock order: user, mails, links.
  const user = (await lockUser(trx, 'email', action.email)) ?? (await lockFormerUser(trx, action.email, nowMs))
  const pause = await findPause(trx, action.email)
  // Links from before a pause are already void. Only a mail from the pause voids links from it: a person with several
  // older mails must not void the one link of the day.
  if (pause === undefined || action.mailed_at_ms >= pause.paused_at_ms) {
    await voidLinks(trx, [action.email], ['email_change', 'sign_in'])
    await deleteButtonsOf(trx, action.email, 'confirm_email')
  }
  // A link that was used meanwhile has created the account, which must be locked before the mails.
  if (user === undefined && (await findUserByEmail(trx, action.email)) !== undefined) throw new RunAgainError()
  if (!(await markUsed(trx, tokenHash, nowMs))) return true
  await insertPause(trx, action.email, nowMs)
  if (user !== undefined) {
    // Read again under the lock: the mail's link may have been used meanwhile.
    const current = (await findButton(trx, 'not_me', tokenHash, nowMs)) ?? action
    const [signInId] = await undo(deps, trx, user, current, source)
    const event = { userId: user.id, type: 'not_me', detail: action.mail_kind } as const
    await recordEvent(trx, deps, signInId === undefined ? event : { ...event, signInId }, source)
  }
  return true
}

// Returns the sign-ins that it disowns.
async function undo(
  deps: EventDeps,
  trx: Transaction,
  user: User,
  button: MailButton,
  source: EventSource,
): Promise<ReadonlySet<string>> {
  const nowMs = deps.clock.now()
  // Until the address is proven, everything on the account belongs to the person who signed up.
  const isUnclaimed = button.mail_kind === 'signup_notice' && user.claimed_at_ms === null
  const isGoogle = button.mail_kind === 'google_notice'
  const makers = await findMakersUpToBound(trx, user.id)
  const isTruncated = makers.length > MAX_MAKERS
  const { keys, signIns } = await reportedBy(trx, user, button, makers)
  const changes = await findUndoableChanges(trx, user.id, nowMs)
  const { sinceMs, isDisowned } = await disownConnections(trx, user, {
    signIns,
    changes,
    sinceMs: isGoogle ? (button.tells_since_ms ?? Infinity) : Infinity,
    isUnclaimed,
    nowMs,
  })
  if (sinceMs < Infinity) for (const id of familySince(makers, sinceMs, [...signIns])) keys.add(id)
  // The oldest change that the mail reports or led to; undoing it undoes all later ones. Changes from before the mail's
  // address was the account's stay: the owner who presses may have lost the mailbox of the address before.
  const first = changes.findIndex((one) => one.old_email === button.email)
  const change = changes.find(
    (one, index) => first !== -1 && index >= first && (signIns.has(one.sign_in_id) || one.asked_at_ms >= sinceMs),
  )
  if (change !== undefined) await undoChange(deps, trx, { user, change }, source)
  for (const identity of await findIdentitiesOf(trx, user.id)) {
    if (!isDisowned(identity)) continue
    await deleteIdentity(trx, identity)
    await recordEvent(trx, deps, { userId: user.id, type: 'google_disconnected', detail: identity.email }, source)
  }
  const mayHaveMore = isTruncated && button.tells_since_ms !== null
  if (!isUnclaimed && !isGoogle && !mayHaveMore && keys.size === 0 && signIns.size === 0) return signIns
  await withdrawKeys(trx, user, nowMs, { makers, keys: isUnclaimed ? undefined : keys, signIns, sinceMs })
  await clearDisownedName(deps, trx, { user, signIns, keys, sinceMs }, source)
  await incrementTokenVersion(trx, user.id)
  return signIns
}

type Reported = Readonly<{ keys: Set<string>; signIns: Set<string> }>

// The keys that a mail reports, and the sign-ins behind them or by the mail's link.
async function reportedBy(
  trx: Transaction,
  user: User,
  button: MailButton,
  makers: readonly KeyMaker[],
): Promise<Reported> {
  if (button.sign_in_id !== null) {
    const signIns = new Set([button.sign_in_id])
    return { keys: familyOfSignIns(makers, signIns), signIns }
  }
  if (button.mail_kind === 'sign_in_notice') {
    const signIns = new Set((await findReportedSignIns(trx, user.id, button)).map(({ id }) => id))
    return { keys: familyOfSignIns(makers, signIns), signIns }
  }
  const { tells_since_ms: fromMs, mailed_at_ms: untilMs } = button
  if (fromMs === null) return { keys: new Set(), signIns: new Set() }
  if (button.mail_kind === 'email_notice') {
    const told = await findChangesBetween(trx, user.id, { fromMs, untilMs })
    const signIns = new Set(told.map((change) => change.sign_in_id))
    return { keys: familyOfSignIns(makers, signIns), signIns }
  }
  if (button.mail_kind === 'google_notice') return { keys: familySince(makers, fromMs, []), signIns: new Set() }
  // A leaked key is revoked, but the keys created with it are not.
  const leaks = await findLeakedKeys(trx, user.id, { fromMs, beforeMs: untilMs + 1 })
  // The account's id stands for deleted keys (domain/keys/key-history.ts).
  const leaked = leaks.map(({ recordId }) => recordId ?? user.id)
  const keys = new Set([...familyOfTimeSpan(makers, fromMs, untilMs), ...familyOf(makers, leaked)])
  return { keys, signIns: signInsOfTimeSpan(makers, fromMs, untilMs) }
}
