/** `POST /payment-links/:id/deactivate`: deactivates a payment link for good. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { withAuthority } from '../../domain/sign-in/authority.ts'
import { recordRepeatedEvent } from '../../domain/events/security-events.ts'
import { deactivatePaymentLink as deactivate } from '../../domain/payment-links/payment-link-end-store.ts'
import { findPaymentLink } from '../../domain/payment-links/payment-link-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { findUsableRates } from '../../domain/payment-links/usable-rates.ts'
import { examplePaymentLink, PaymentLinkAnswer, toPaymentLinkAnswer } from './payment-link-answer.ts'
import { PaymentLinkParams } from './payment-link-path.ts'

const Answer = Type.Object(
  { paymentLink: PaymentLinkAnswer },
  {
    description: 'The current state of the link.',
    examples: [{ paymentLink: { ...examplePaymentLink, status: 'INACTIVE' } }],
  },
)

export const deactivatePaymentLink: Endpoint = (app, deps) => {
  const { config, clock } = deps

  app.post('/payment-links/:id/deactivate', {
    config: { access: 'authenticated', scope: 'payment_links:write', errors: ['NOT_FOUND'] },
    schema: {
      operationId: 'deactivatePaymentLink',
      summary: 'Deactivate a payment link',
      description: 'A deactivated link cannot be activated again. A second call changes nothing.',
      tags: ['Payment links'],
      'x-beyond-specification': true,
      params: PaymentLinkParams,
      response: { 200: Answer },
    },
    async handler(request) {
      const { currency, params } = request
      const nowMs = clock.now()
      return withAuthority(deps, callerOf(request), async (trx, user) => {
        const link = await findPaymentLink(trx, params.id, user.id)
        if (link === undefined) throw new ApiError('NOT_FOUND')
        await deactivate(trx, user.id, link.id, nowMs)
        if (link.deactivated_at_ms === null) {
          await recordRepeatedEvent(trx, deps, { userId: user.id, type: 'payment_link_deactivated' }, request)
        }
        const deactivated = { ...link, deactivated_at_ms: link.deactivated_at_ms ?? nowMs }
        const rates = await findUsableRates(deps, trx, [link], currency)
        return { paymentLink: toPaymentLinkAnswer(deactivated, { config, currency, rates, nowMs }) }
      })
    },
  })
}
