/** `POST /payment-links`: creates a payment link in the currency of the call. */
import { Type } from 'typebox'
import { createLink } from '../../domain/payment-links/operations/create-link.ts'
import { callerOf } from '../../http/guard.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { IdempotencyHeaders, readIdempotencyKey } from '../../http/input.ts'
import { limitCaller } from '../../http/rate-limit/caller-limit.ts'
import { examplePaymentLink, newLinkAmount, newLinkFields, PaymentLinkAnswer } from '../payment-link-schema.ts'

const Body = Type.Object(
  {
    amount: newLinkAmount('In minor units of the call’s currency (`X-Currency`): 1050 is 10.50.'),
    ...newLinkFields,
  },
  {
    additionalProperties: false,
    examples: [{ amount: 245_000, title: 'Website design', reference: 'INV-2026-014' }],
  },
)

const Answer = Type.Object(
  { paymentLink: PaymentLinkAnswer },
  {
    description: 'The link is created.',
    examples: [{ paymentLink: examplePaymentLink }],
  },
)

export const createPaymentLink: Endpoint = (app, deps) => {
  app.post('/payment-links', {
    config: {
      access: 'authenticated',
      scope: 'payment_links:write',
      errors: [
        'VALIDATION_FAILED',
        'AMOUNT_NOT_ALLOWED',
        'IDEMPOTENCY_CONFLICT',
        'PAYMENT_LINK_LIMIT_REACHED',
        'RATE_LIMITED',
      ],
    },
    schema: {
      operationId: 'createPaymentLink',
      summary: 'Create a payment link',
      description:
        'With an `Idempotency-Key` the call can be repeated safely for 24 hours: the same key and body return the same response, with `Idempotent-Replayed: true`, and create no second link. An API key shares its Idempotency-Keys with the keys created with it. A person’s sign-ins share theirs until the person signs out everywhere.',
      tags: ['Payment links'],
      'x-beyond-specification': true,
      headers: IdempotencyHeaders,
      body: Body,
      response: { 201: Answer },
    },
    async handler(request, reply) {
      const caller = callerOf(request)
      const { currency, body } = request
      const idempotencyKey = readIdempotencyKey(request)
      await limitCaller(deps, request, reply, 'payment-links')
      const once = await createLink(deps, caller, body, { currency, idempotencyKey, source: request })
      if (once.isReplay) reply.header('idempotent-replayed', 'true')
      reply.status(201)
      return once.answer
    },
  })
}
