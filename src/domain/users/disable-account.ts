/** Disables an account and enables it again: while it is disabled nothing signs in to it and nothing of it is accepted. */
import { recordEvent } from '../events/security-events.ts'
import { deleteLinksOf } from '../sign-in/magic-link-store.ts'
import { incrementTokenVersion, setDisabled } from './user-store.ts'
import type { User } from './user-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'
import { deleteMailsTo } from '../mails/mail-queue-store.ts'

type EventDeps = Pick<DomainDeps, 'clock' | 'random'>

/**
 * Disables it, and voids what would otherwise work again once it is enabled: tokens and links that are out
 * (docs/decisions/0019). The caller holds the user's lock.
 * @returns whether it was not disabled before
 */
export async function disableAccount(deps: EventDeps, trx: Transaction, user: User): Promise<boolean> {
  if (user.disabled_at_ms !== null) return false
  await setDisabled(trx, user.id, deps.clock.now())
  await incrementTokenVersion(trx, user.id)
  // First the mail: one that is on its way is waited for here, and has made its link by then.
  await deleteMailsTo(trx, user.email, 'sign_in')
  await deleteLinksOf(trx, user.email)
  await recordEvent(trx, deps, { userId: user.id, type: 'account_disabled' })
  return true
}

/** Enables it; what was void stays void. The caller holds the user's lock. @returns whether it was disabled */
export async function enableAccount(deps: EventDeps, trx: Transaction, user: User): Promise<boolean> {
  if (user.disabled_at_ms === null) return false
  await setDisabled(trx, user.id, null)
  await recordEvent(trx, deps, { userId: user.id, type: 'account_enabled' })
  return true
}
