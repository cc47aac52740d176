/** `GET /payment-links/:id`: one of the caller's payment links, with its amount in the currency of the call. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { findPaymentLink } from '../../domain/payment-links/payment-link-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { findUsableRates } from '../../domain/payment-links/usable-rates.ts'
import { examplePaymentLink, PaymentLinkAnswer, toPaymentLinkAnswer } from './payment-link-answer.ts'
import { PaymentLinkParams } from './payment-link-path.ts'

const Answer = Type.Object(
  { paymentLink: PaymentLinkAnswer },
  { description: 'The current state of the link.', examples: [{ paymentLink: examplePaymentLink }] },
)

export const getPaymentLink: Endpoint = (app, deps) => {
  const { config, db, clock } = deps

  app.get('/payment-links/:id', {
    config: { access: 'authenticated', scope: 'payment_links:read', errors: ['NOT_FOUND'] },
    schema: {
      operationId: 'getPaymentLink',
      summary: 'Get a payment link',
      description: 'Only the caller’s own. `GET /payment-links/{id}/public` is what a payer sees.',
      tags: ['Payment links'],
      'x-beyond-specification': true,
      params: PaymentLinkParams,
      response: { 200: Answer },
    },
    async handler(request) {
      const link = await findPaymentLink(db, request.params.id, callerOf(request).userId)
      if (link === undefined) throw new ApiError('NOT_FOUND')
      const { currency } = request
      const rates = await findUsableRates(deps, db, [link], currency)
      return { paymentLink: toPaymentLinkAnswer(link, { config, currency, rates, nowMs: clock.now() }) }
    },
  })
}
