/** `GET /payment-links/:id/public`: what a payer may see of a payment link. */
import { Type } from 'typebox'
import {
  findPaymentLink,
  paymentLinkStatuses,
  statusOfPaymentLink,
} from '../../domain/payment-links/payment-link-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { MoneyAnswer, originalOf } from './payment-link-answer.ts'
import { PaymentLinkParams } from './payment-link-path.ts'

const HELD_BACK =
  'Null while the link is held back: its account is disabled, or its owner has not kept the API key that made it.'

const Answer = Type.Object(
  {
    paymentLink: Type.Object({
      title: Type.Union([Type.String(), Type.Null()], { description: HELD_BACK }),
      amount: Type.Union([MoneyAnswer, Type.Null()], { description: HELD_BACK }),
      status: Type.Enum([...paymentLinkStatuses], { description: 'Only an ACTIVE one may be paid.' }),
    }),
  },
  {
    description: 'Nothing about its owner.',
    examples: [
      { paymentLink: { title: 'Website design', amount: { value: 245_000, currency: 'RON' }, status: 'ACTIVE' } },
    ],
  },
)

/** Adds the endpoint. */
export const getPublicPaymentLink: Endpoint = (app, { db, clock }) => {
  app.get('/payment-links/:id/public', {
    config: { access: 'public', errors: ['NOT_FOUND'] },
    schema: {
      operationId: 'getPublicPaymentLink',
      summary: 'What a payer may see of a payment link',
      description: 'The amount is the original one: no currency context applies.',
      tags: ['Payment links'],
      'x-beyond-specification': true,
      params: PaymentLinkParams,
      response: { 200: Answer },
    },
    async handler(request) {
      const link = await findPaymentLink(db, request.params.id)
      if (link === undefined) throw new ApiError('NOT_FOUND')
      const status = statusOfPaymentLink(link, clock.now())
      // What a stranger, or a disabled account, wrote reaches nobody through our page.
      const shown = link.isHeld ? { title: null, amount: null } : { title: link.title, amount: originalOf(link) }
      return { paymentLink: { ...shown, status } }
    },
  })
}
