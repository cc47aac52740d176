import { recordAccountChange } from './account-change-store.ts'
import { clearDeletionAsked, findDeletionAsked } from '../address-change/address-change-store.ts'
import { recordEvent } from '../events/security-events.ts'
import { voidLinks } from '../sign-in/void-links.ts'
import { incrementTokenVersion, setDisabled } from './user-store.ts'
import type { User } from './user-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { EventDeps } from '../deps.ts'

/**
 * Disables an account for the operator (docs/decisions/0019). An account that its own deletion has disabled stays
 * disabled when the deletion is undone. The caller holds the user's lock.
 * @returns false when it was already disabled
 */
export async function disableAccount(deps: EventDeps, trx: Transaction, user: User): Promise<boolean> {
  if (user.disabled_at_ms !== null) {
    const deletion = await findDeletionAsked(trx, user.id)
    if (user.disabled_at_ms !== deletion?.deletion_asked_at_ms) return false
    await setDisabled(trx, user.id, Math.max(deps.clock.now(), user.disabled_at_ms + 1))
  } else {
    await shutAccount(trx, user, deps.clock.now())
  }
  await recordEvent(trx, deps, { userId: user.id, type: 'account_disabled' })
  return true
}

/**
 * Refuses all credentials of an account, and voids tokens and links, which would otherwise work again once it is
 * enabled. The caller holds the user's lock.
 */
export async function shutAccount(trx: Transaction, user: User, nowMs: number): Promise<void> {
  await setDisabled(trx, user.id, nowMs)
  await incrementTokenVersion(trx, user.id)
  await voidLinks(trx, [user.email], ['sign_in'])
  await recordAccountChange(trx, user.id, 'disabled', nowMs)
}

/**
 * What was voided stays void; a pending deletion is cancelled. The caller holds the user's lock.
 * @returns whether it was disabled
 */
export async function enableAccount(deps: EventDeps, trx: Transaction, user: User): Promise<boolean> {
  if (user.disabled_at_ms === null) return false
  await clearDeletionAsked(trx, user.id)
  await setDisabled(trx, user.id, null)
  await recordEvent(trx, deps, { userId: user.id, type: 'account_enabled' })
  await recordAccountChange(trx, user.id, 'enabled', deps.clock.now())
  return true
}
