/** `GET /payment-links/:id`: one of the caller's payment links, with its amount in the currency of the call. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { readLink } from '../../domain/payment-links/operations/read-links.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { examplePaymentLink, PaymentLinkAnswer } from '../payment-link-schema.ts'
import { PaymentLinkParams } from './payment-link-path.ts'

const Answer = Type.Object(
  { paymentLink: PaymentLinkAnswer },
  { description: 'The current state of the link.', examples: [{ paymentLink: examplePaymentLink }] },
)

export const getPaymentLink: Endpoint = (app, deps) => {
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
      const { currency, params } = request
      return { paymentLink: await readLink(deps, callerOf(request).userId, currency, params.id) }
    },
  })
}
