/** `GET /payment-links`: the caller's payment links, newest first, with amounts in the currency of the call. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { findPaymentLinks, MAX_LINKS_READ, paymentLinkStatuses } from '../../domain/payment-links/payment-link-store.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { DisplayText } from '../../http/input.ts'
import { pageQuery, readPage, toCursor } from '../../http/pagination.ts'
import { findUsableRates } from '../../domain/payment-links/usable-rates.ts'
import { trimBlanks } from '../../lib/display-text.ts'
import { examplePaymentLink, PaymentLinkAnswer, toPaymentLinkAnswer } from './payment-link-answer.ts'

const Query = Type.Object({
  ...pageQuery,
  status: Type.Optional(Type.Enum([...paymentLinkStatuses], { title: 'PaymentLinkStatus' })),
  reference: Type.Optional(DisplayText('Only links with exactly this reference.')),
  search: Type.Optional(
    DisplayText(
      'Only links whose title, reference or id contains every word of this text, in any case, with or without accents.',
    ),
  ),
})

const Answer = Type.Object(
  {
    paymentLinks: Type.Array(PaymentLinkAnswer),
    nextCursor: Type.Union([Type.String(), Type.Null()], {
      description: 'Null on the last page, and only there: other pages may also have fewer links than `limit`.',
    }),
  },
  { description: 'A page of payment links.', examples: [{ paymentLinks: [examplePaymentLink], nextCursor: null }] },
)

export const listPaymentLinks: Endpoint = (app, deps) => {
  const { config, db, clock } = deps

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
      const nowMs = clock.now()
      const trimmed = { reference: reference && trimBlanks(reference), search: search && trimBlanks(search) }
      const query = { ...readPage(request.query), nowMs, status, ...trimmed }
      const { links, next } = await findPaymentLinks(db, callerOf(request).userId, query)
      const { currency } = request
      const rates = await findUsableRates(deps, db, links, currency)
      return {
        paymentLinks: links.map((link) => toPaymentLinkAnswer(link, { config, currency, rates, nowMs })),
        nextCursor: toCursor(next),
      }
    },
  })
}
