import { ApiError } from '../../../errors.ts'
import type { DomainDeps } from '../../deps.ts'
import { recordRepeatedEvent } from '../../events/security-events.ts'
import type { EventSource } from '../../events/security-events.ts'
import { withAuthority } from '../../sign-in/authority.ts'
import type { Caller } from '../../sign-in/authority.ts'
import type { Currency } from '../currency.ts'
import { deactivatePaymentLink } from '../payment-link-end-store.ts'
import { findPaymentLink } from '../payment-link-store.ts'
import { findUsableRates } from '../usable-rates.ts'
import { describeLink } from './describe-link.ts'
import type { LinkDescription } from './describe-link.ts'

/**
 * Deactivates a payment link for good. A second call changes nothing.
 * @param currency the one to show the amount in
 * @throws {ApiError} `NOT_FOUND` if it is not a link of the caller, and those of `withAuthority`
 */
export function deactivateLink(
  deps: DomainDeps,
  caller: Caller,
  { id, currency, source }: Readonly<{ id: string; currency: Currency; source: EventSource }>,
): Promise<LinkDescription> {
  const { config, clock } = deps
  const nowMs = clock.now()
  return withAuthority(deps, caller, async (trx, user) => {
    const link = await findPaymentLink(trx, id, user.id)
    if (link === undefined) throw new ApiError('NOT_FOUND')
    await deactivatePaymentLink(trx, user.id, link.id, nowMs)
    if (link.deactivated_at_ms === null) {
      await recordRepeatedEvent(trx, deps, { userId: user.id, type: 'payment_link_deactivated' }, source)
    }
    const deactivated = { ...link, deactivated_at_ms: link.deactivated_at_ms ?? nowMs }
    const rates = await findUsableRates(deps, trx, [link], currency)
    return describeLink(deactivated, { config, currency, rates, nowMs })
  })
}
