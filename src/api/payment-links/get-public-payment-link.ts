/** `GET /payment-links/:id/public`: the part of a payment link that a payer may see. */
import { Type } from 'typebox'
import {
  findPaymentLink,
  paymentLinkStatuses,
  statusOfPaymentLink,
} from '../../domain/payment-links/payment-link-store.ts'
import { toMoney } from '../../domain/payment-links/amounts.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { MoneyAnswer } from '../money-answer.ts'
import { PaymentLinkParams } from './payment-link-path.ts'
import { textOrNull } from '../answer-fields.ts'

const WHILE_HELD =
  'Null while the link is held: its account is disabled, or its owner has not kept the API key that created it.'

const Answer = Type.Object(
  {
    paymentLink: Type.Object(
      {
        title: textOrNull(WHILE_HELD),
        amount: Type.Union([MoneyAnswer, Type.Null()], { description: WHILE_HELD }),
        status: Type.Enum([...paymentLinkStatuses], {
          title: 'PaymentLinkStatus',
          description: 'Only an ACTIVE link can be paid.',
        }),
      },
      { title: 'PublicPaymentLink' },
    ),
  },
  {
    description: 'The link, without anything about its owner.',
    examples: [
      { paymentLink: { title: 'Website design', amount: { value: 245_000, currency: 'EUR' }, status: 'ACTIVE' } },
    ],
  },
)

export const getPublicPaymentLink: Endpoint = (app, { db, clock }) => {
  app.get('/payment-links/:id/public', {
    config: { access: 'public', errors: ['NOT_FOUND'] },
    schema: {
      operationId: 'getPublicPaymentLink',
      summary: 'Get the public part of a payment link',
      description:
        'The amount is in the link’s own currency; `X-Currency` has no effect. A link is deleted PAYMENT_LINK_RETENTION_DAYS days after it expired or was deactivated, by default 400, and is then NOT_FOUND.',
      tags: ['Payment links'],
      'x-beyond-specification': true,
      params: PaymentLinkParams,
      response: { 200: Answer },
    },
    async handler(request) {
      const link = await findPaymentLink(db, request.params.id)
      if (link === undefined) throw new ApiError('NOT_FOUND')
      const status = statusOfPaymentLink(link, clock.now())
      // Text of a stranger or of a disabled account must not be published on our page.
      const shown = link.isHeld ? { title: null, amount: null } : { title: link.title, amount: toMoney(link) }
      return { paymentLink: { ...shown, status } }
    },
  })
}
