/** `GET /payment-links`: the caller's payment links, newest first, with amounts in the currency of the call. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { readLinks } from '../../domain/payment-links/operations/read-links.ts'
import { MAX_LINKS_READ } from '../../domain/payment-links/payment-link-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { pageQuery, readPage, toCursor } from '../../http/pagination.ts'
import { examplePaymentLink, linkFilters, PaymentLinkAnswer } from '../payment-link-schema.ts'
import { textOrNull } from '../answer-fields.ts'

const Query = Type.Object({ ...pageQuery, ...linkFilters })

const Answer = Type.Object(
  {
    paymentLinks: Type.Array(PaymentLinkAnswer),
    nextCursor: textOrNull(
      'Null on the last page, and only there: other pages may also have fewer links than `limit`.',
    ),
  },
  { description: 'A page of payment links.', examples: [{ paymentLinks: [examplePaymentLink], nextCursor: null }] },
)

export const listPaymentLinks: Endpoint = (app, deps) => {
  app.get('/payment-links', {
    config: { access: 'authenticated', scope: 'payment_links:read', errors: ['VALIDATION_FAILED'] },
    schema: {
      operationId: 'listPaymentLinks',
      summary: 'List payment links',
      description: `Newest first. \`amount\` is null if it cannot be converted to the call’s currency. With \`status\` or \`search\`, a page searches at most ${MAX_LINKS_READ} links: it may be short or empty and still have a \`nextCursor\`.`,
      tags: ['Payment links'],
      'x-beyond-specification': true,
      querystring: Query,
      response: { 200: Answer },
    },
    async handler(request) {
      const { status, reference, search } = request.query
      const query = { ...readPage(request.query), status, reference, search }
      const { paymentLinks, next } = await readLinks(deps, callerOf(request).userId, request.currency, query)
      return { paymentLinks, nextCursor: toCursor(next) }
    },
  })
}
