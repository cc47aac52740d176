import { countPaymentLinks } from './payment-link-store.ts'
import { setPaymentLinkCount } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'
import { ApiError } from '../../errors.ts'
import type { EventSource } from '../events/security-events.ts'
import { clientNetwork } from '../../lib/network.ts'

/**
 * Counts one more link of the account, unless its limit is reached. The count is in the user's row, which the caller
 * has locked. For an account from before the count existed, it is computed here, once.
 * @returns false when the limit is reached; not thrown, so that a first count is still committed
 */
export async function countNewPaymentLink(trx: Transaction, user: User, limit: number): Promise<boolean> {
  const created = user.payment_link_count ?? (await countPaymentLinks(trx, user.id, user.claimed_at_ms ?? 0, limit))
  const isFree = created < limit
  if (isFree || user.payment_link_count === null)
    await setPaymentLinkCount(trx, user.id, isFree ? created + 1 : created)
  return isFree
}

/** The error to throw. Also notes the refusal as an event of the account. */
export function paymentLinkLimitReached(
  { config, failureLog }: Pick<DomainDeps, 'config' | 'failureLog'>,
  userId: string,
  { ip, browser }: Pick<EventSource, 'ip' | 'browser'>,
): ApiError {
  const who = { by: 'id', value: userId } as const
  failureLog.note({ type: 'limit_hit', who, client: clientNetwork(ip), browser, detail: 'payment-link-limit' })
  const limit = config.paymentLinkLimit.toLocaleString('en')
  const message = `This account has reached its limit of ${limit} payment links. Ask the operator of this service to raise it, or create links in another account. If a stolen API key created them, sign in and revoke that key: this resets the count.`
  return new ApiError('PAYMENT_LINK_LIMIT_REACHED', { message })
}
