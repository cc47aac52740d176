/** "This wasn't me": the holder of a mailbox disowns a mail, and what came of it is undone (docs/decisions/0012). */
import { RunAgainError } from '../../database/database.ts'
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'
import { findEventsBetween } from '../events/event-store.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { deleteIdentity, findIdentitiesOf } from '../google/identity-store.ts'
import { familyOf, familyOfSignIns, familyOfTime, familySince, signInsOfTime } from '../keys/key-family.ts'
import { deleteMakers, findMakersWithinBounds, MOST_MAKERS } from '../keys/key-maker-store.ts'
import type { KeyMaker } from '../keys/key-maker-store.ts'
import { findKeysById, quarantineKeys } from '../keys/key-store.ts'
import { findButton, findPause, insertPause, markUsed } from '../mails/mail-button-store.ts'
import type { MailButton } from '../mails/mail-button-store.ts'
import { deleteMailsTo } from '../mails/mail-queue-store.ts'
import { findUserByEmail, incrementTokenVersion, lockUser } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'
import { deleteLinksOf } from './magic-link-store.ts'

type RuleDeps = Pick<DomainDeps, 'clock' | 'random'>

/**
 * Disowns the mail of a button: voids the address's links, pauses its mail and undoes what the mail tells.
 * Locks the user, then the mails, then the links. A second time changes nothing.
 * @param tokenHash of the button
 * @returns false: there is no such button
 * @throws {RunAgainError}
 */
export async function disownMail(
  deps: RuleDeps,
  trx: Transaction,
  tokenHash: string,
  source: EventSource,
): Promise<boolean> {
  const nowMs = deps.clock.now()
  const action = await findButton(trx, 'not_me', tokenHash, nowMs)
  if (action === undefined) return false
  // Each mail's button acts once: somebody who has an old mail must not void every new link.
  if (action.used_at_ms !== null) return true

  // In the order that everybody takes: the user, the mails, the links.
  const user = await lockUser(trx, 'email', action.email)
  const pause = await findPause(trx, action.email)
  // What was out when a pause began is void already. What came after it is voided from no older
  // mail: somebody who has several of those must not void the one link of the day either.
  if (pause === undefined || action.mailed_at_ms >= pause.paused_at_ms) {
    // First the mail: one that is on its way is waited for here, and has made its link by then.
    await deleteMailsTo(trx, action.email, 'sign_in')
    await deleteLinksOf(trx, action.email)
  }
  // A link that was used while we waited has made the account: now it is to be locked before the mails.
  if (user === undefined && (await findUserByEmail(trx, action.email)) !== undefined) throw new RunAgainError()
  if (!(await markUsed(trx, tokenHash, nowMs))) return true
  await insertPause(trx, action.email, nowMs)
  if (user !== undefined) {
    // Read again under the lock: its link may have been used meanwhile.
    const told = (await findButton(trx, 'not_me', tokenHash, nowMs)) ?? action
    await undo(deps, trx, user, told, source)
    await recordEvent(trx, deps, { userId: user.id, type: 'not_me', detail: action.mail_kind }, source)
  }
  return true
}

async function undo(
  deps: RuleDeps,
  trx: Transaction,
  user: User,
  button: MailButton,
  source: EventSource,
): Promise<void> {
  const nowMs = deps.clock.now()
  // The notice of a signup: while nobody has proven the address, everything is whoever's signed up.
  const isUnclaimed = button.mail_kind === 'signup_notice' && user.claimed_at_ms === null
  const isGoogle = button.mail_kind === 'google_notice'
  const makers = await findMakersWithinBounds(trx, user.id)
  const isUntold = makers.length > MOST_MAKERS
  const { keys, signIns } = await toldBy(trx, user, button, makers)
  let sinceMs = isGoogle ? (button.tells_since_ms ?? Infinity) : Infinity
  for (const identity of await findIdentitiesOf(trx, user.id)) {
    const isSince = identity.connected_at_ms >= (button.tells_since_ms ?? 0)
    if (!isUnclaimed && !signIns.has(identity.sign_in_id) && !(isGoogle && isSince)) continue
    await deleteIdentity(trx, identity)
    await recordEvent(trx, deps, { userId: user.id, type: 'google_disconnected', detail: identity.email }, source)
    // Who connected it could sign in by it until now.
    for (const id of familySince(makers, identity.connected_at_ms, [identity.sign_in_id])) keys.add(id)
    signIns.add(identity.sign_in_id)
    sinceMs = Math.min(sinceMs, identity.connected_at_ms)
  }
  const mayHaveMore = isUntold && button.tells_since_ms !== null
  if (!isUnclaimed && !isGoogle && !mayHaveMore && keys.size === 0 && signIns.size === 0) return
  // Where not every maker was read, nobody can say which keys are not the stranger's.
  await quarantineKeys(trx, user.id, nowMs, isUnclaimed || isUntold ? undefined : keys)
  // A word that was not the owner's: what a key made before the claim is held again, also where the key is revoked or gone.
  const isUndone = (row: KeyMaker) =>
    row.how === 'kept' && (signIns.has(row.sign_in_id ?? '') || (row.last_at_ms ?? row.at_ms) >= sinceMs)
  await deleteMakers(
    trx,
    makers.filter(isUndone).map(({ id }) => id),
  )
  await incrementTokenVersion(trx, user.id)
}

type Told = Readonly<{ keys: Set<string>; signIns: Set<string> }>

// What a mail tells of: the keys, and the sign-ins behind them or by its link.
async function toldBy(trx: Transaction, user: User, button: MailButton, makers: readonly KeyMaker[]): Promise<Told> {
  if (button.sign_in_id !== null) {
    const signIns = new Set([button.sign_in_id])
    return { keys: familyOfSignIns(makers, signIns), signIns }
  }
  const { tells_since_ms: fromMs, mailed_at_ms: untilMs } = button
  if (fromMs === null) return { keys: new Set(), signIns: new Set() }
  if (button.mail_kind === 'google_notice') return { keys: familySince(makers, fromMs, []), signIns: new Set() }
  // A leaked key is revoked; what was made with it is not.
  const leaks = await findEventsBetween(trx, user.id, ['key_leaked'], { fromMs, beforeMs: untilMs + 1 })
  const leaked = new Set(leaks.map((leak) => leak.api_key_id ?? ''))
  const onRecord = await findKeysById(trx, user.id, [...leaked])
  // For keys that went, the account stands (domain/keys/key-history.ts).
  if (onRecord.length < leaked.size) leaked.add(user.id)
  const keys = new Set([...familyOfTime(makers, fromMs, untilMs), ...familyOf(makers, leaked)])
  return { keys, signIns: signInsOfTime(makers, fromMs, untilMs) }
}
