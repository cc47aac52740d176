import { recordAccountChange } from './account-change-store.ts'
import { recordEvent } from '../events/security-events.ts'
import { deleteLinksOf } from '../sign-in/magic-link-store.ts'
import { incrementTokenVersion, setDisabled } from './user-store.ts'
import type { User } from './user-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'
import { deleteMailsTo } from '../mails/mail-queue-store.ts'

type EventDeps = Pick<DomainDeps, 'clock' | 'random'>

/**
 * Disables an account, and voids tokens and links, which would otherwise work again once it is enabled
 * (docs/decisions/0019). The caller holds the user's lock.
 * @returns false when it was already disabled
 */
export async function disableAccount(deps: EventDeps, trx: Transaction, user: User): Promise<boolean> {
  if (user.disabled_at_ms !== null) return false
  await setDisabled(trx, user.id, deps.clock.now())
  await incrementTokenVersion(trx, user.id)
  // Mails before links: this waits for a mail that is being sent, whose link exists by then.
  await deleteMailsTo(trx, user.email, 'sign_in')
  await deleteLinksOf(trx, user.email)
  await recordEvent(trx, deps, { userId: user.id, type: 'account_disabled' })
  await recordAccountChange(trx, user.id, 'disabled', deps.clock.now())
  return true
}

/** What was voided stays void. The caller holds the user's lock. @returns whether it was disabled */
export async function enableAccount(deps: EventDeps, trx: Transaction, user: User): Promise<boolean> {
  if (user.disabled_at_ms === null) return false
  await setDisabled(trx, user.id, null)
  await recordEvent(trx, deps, { userId: user.id, type: 'account_enabled' })
  await recordAccountChange(trx, user.id, 'enabled', deps.clock.now())
  return true
}
