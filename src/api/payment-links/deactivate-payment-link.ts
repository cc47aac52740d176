/** `POST /payment-links/:id/deactivate`: deactivates a payment link for good. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { deactivateLink } from '../../domain/payment-links/operations/deactivate-link.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { examplePaymentLink, PaymentLinkAnswer } from '../payment-link-schema.ts'
import { PaymentLinkParams } from './payment-link-path.ts'

const Answer = Type.Object(
  { paymentLink: PaymentLinkAnswer },
  {
    description: 'The current state of the link.',
    examples: [{ paymentLink: { ...examplePaymentLink, status: 'INACTIVE' } }],
  },
)

export const deactivatePaymentLink: Endpoint = (app, deps) => {
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
      const link = { id: params.id, currency, source: request }
      return { paymentLink: await deactivateLink(deps, callerOf(request), link) }
    },
  })
}
