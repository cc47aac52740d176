/** `GET /payment-links`: the caller's payment links, newest first, with amounts in the currency of the call. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { findPaymentLinks, LOOKED_AT, paymentLinkStatuses } from '../../domain/payment-links/payment-link-store.ts'
import type { PaymentLinkPosition } from '../../domain/payment-links/payment-link-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { DisplayText } from '../../http/input.ts'
import { findLatestRates } from '../../domain/payment-links/exchange-rate-store.ts'
import { examplePaymentLink, ListedPaymentLink, toListedPaymentLink } from './payment-link-answer.ts'

const DEFAULT_LIMIT = 50

const Query = Type.Object({
  cursor: Type.Optional(Type.String({ maxLength: 200, description: '`nextCursor` of the page before.' })),
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9]\\d?|100)$', description: 'How many, 1 to 100; 50 when absent.' }),
  ),
  status: Type.Optional(Type.Enum([...paymentLinkStatuses])),
  reference: Type.Optional(DisplayText('Only links with this very reference.')),
})

const Answer = Type.Object(
  {
    paymentLinks: Type.Array(ListedPaymentLink),
    nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Null: there are no more. Only this says so: a page may have fewer links than `limit`.' }),
  },
  { description: 'A page of payment links.', examples: [{ paymentLinks: [examplePaymentLink], nextCursor: null }] },
)

/** Adds the endpoint. */
export const listPaymentLinks: Endpoint = (app, { config, db, clock }) => {
  app.get('/payment-links', {
    config: { access: 'authenticated', errors: ['VALIDATION_FAILED'] },
    schema: {
      operationId: 'listPaymentLinks',
      summary: 'List payment links',
      description: `Newest first. A link whose amount cannot be given in the call’s currency has \`amount\` null. With \`status\`, a page looks at ${LOOKED_AT} links at most: it may be short, or empty, and have a \`nextCursor\`.`,
      tags: ['Payment links'],
      'x-beyond-specification': true,
      querystring: Query,
      response: { 200: Answer },
    },
    async handler(request) {
      const { cursor, limit: asked, status, reference } = request.query
      const limit = asked === undefined ? DEFAULT_LIMIT : Number(asked)
      const after = cursor === undefined ? undefined : fromCursor(cursor)
      const nowMs = clock.now()
      const query = { after, limit, nowMs, status, reference }
      const { links, next } = await findPaymentLinks(db, callerOf(request).userId, query)
      const { currency } = request
      const rates = links.every((link) => link.currency === currency) ? {} : await findLatestRates(db)
      return {
        paymentLinks: links.map((link) => toListedPaymentLink(link, { config, currency, rates, nowMs })),
        nextCursor: next === undefined ? null : toCursor(next),
      }
    },
  })
}

function toCursor({ atMs, id }: PaymentLinkPosition): string {
  return Buffer.from(`${atMs}_${id}`).toString('base64url')
}

/** @throws {ApiError} `VALIDATION_FAILED` for what was never a cursor */
function fromCursor(cursor: string): PaymentLinkPosition {
  const [, atMs, id = ''] = /^(\d{1,15})_([\w-]{1,40})$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (atMs === undefined) throw new ApiError('VALIDATION_FAILED', { message: 'query.cursor must be the nextCursor of a page before.' })
  return { atMs: Number(atMs), id }
}
