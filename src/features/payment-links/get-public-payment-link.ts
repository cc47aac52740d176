/** `GET /payment-links/:id/public`: what whoever pays may see of a payment link. */
import { Type } from 'typebox'
import { findPaymentLink, paymentLinkStatuses, statusOfPaymentLink } from '../../accounts/payment-link-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { MoneyAnswer, originalOf } from './payment-link-answer.ts'
import { PaymentLinkParams } from './payment-link-path.ts'

const Answer = Type.Object(
  {
    paymentLink: Type.Object({
      title: Type.String(),
      amount: MoneyAnswer,
      status: Type.Enum([...paymentLinkStatuses], { description: 'Only an ACTIVE one may be paid.' }),
    }),
  },
  {
    description: 'Nothing about its owner.',
    examples: [{ paymentLink: { title: 'Website design', amount: { value: 245_000, currency: 'RON' }, status: 'ACTIVE' } }],
  },
)

/** Adds the endpoint. */
export const getPublicPaymentLink: Endpoint = (app, { db, clock }) => {
  app.get('/payment-links/:id/public', {
    config: { access: 'public', errors: ['NOT_FOUND'] },
    schema: {
      operationId: 'getPublicPaymentLink',
      summary: 'What whoever pays may see of a payment link',
      description: 'The amount is the original one: no currency context applies.',
      tags: ['Payment links'],
      'x-beyond-specification': true,
      params: PaymentLinkParams,
      response: { 200: Answer },
    },
    async handler(request) {
      const link = await findPaymentLink(db, request.params.id)
      if (link === undefined) throw new ApiError('NOT_FOUND')
      return { paymentLink: { title: link.title, amount: originalOf(link), status: statusOfPaymentLink(link, clock.now()) } }
    },
  })
}
