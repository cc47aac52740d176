/** `POST /payment-links`: creates a payment link in the currency of the call. */
import { Type } from 'typebox'
import { callerOf } from '../../http/guard.ts'
import { limitKeyOf, withAuthority } from '../../domain/sign-in/authority.ts'
import { noteLimitHit } from '../../domain/events/failure-log.ts'
import { insertPaymentLink } from '../../domain/payment-links/payment-link-store.ts'
import { ApiError } from '../../errors.ts'
import type { Endpoint } from '../../http/endpoint.ts'
import { DisplayText, IdempotencyHeaders } from '../../http/input.ts'
import { withIdempotencyKey } from '../../domain/idempotency/idempotency.ts'
import { examplePaymentLink, PaymentLinkAnswer, toPaymentLinkAnswer } from './payment-link-answer.ts'
import { MAX_MINOR_UNITS } from '../../domain/payment-links/currency.ts'
import { countAmount } from '../../domain/payment-links/amount-limits.ts'
import { countNewPaymentLink, paymentLinkLimitReached } from '../../domain/payment-links/payment-link-limit.ts'

/** The last time with a four-digit year in ISO 8601. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const Body = Type.Object(
  {
    amount: Type.Integer({
      minimum: 1,
      maximum: MAX_MINOR_UNITS,
      description: 'In minor units of the call’s currency (`X-Currency`): 1050 is 10.50.',
    }),
    title: DisplayText('What the payment is for. The payer sees it.'),
    reference: Type.Optional(DisplayText('Your own reference, for example an invoice number. The payer sees it.')),
    expiresAt: Type.Optional(
      Type.String({
        format: 'date-time',
        maxLength: 40,
        description: 'When the link expires. Default: never.',
      }),
    ),
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
  const { config, clock, random, rateLimits, failureLog } = deps

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
      const { currency } = request
      const { amount, title, reference, expiresAt } = request.body
      const nowMs = clock.now()
      const expiresAtMs = expiresAt === undefined ? null : Date.parse(expiresAt)
      await rateLimits
        .count(reply, ['payment-links', limitKeyOf(caller)])
        .catch(noteLimitHit(failureLog, request, { by: 'id', value: caller.userId }))
      const once = await withAuthority(deps, caller, (trx, user) =>
        withIdempotencyKey(
          trx,
          { key: request.headers['idempotency-key'], caller, user, nowMs },
          { currency, ...request.body },
          async () => {
            // Written so that NaN fails too: a leap second passes the schema, but is no Date.
            if (expiresAtMs !== null && !(expiresAtMs > nowMs && expiresAtMs <= LATEST_MS)) {
              throw new ApiError('VALIDATION_FAILED', {
                message: '`expiresAt` must be in the future, and before the year 10000.',
              })
            }
            if (!(await countNewPaymentLink(trx, user, config.paymentLinkLimit))) return undefined
            await countAmount(trx, caller, { amount, currency, nowMs })
            const row = {
              id: random.uuid(),
              user_id: user.id,
              api_key_id: caller.apiKeyId,
              title,
              reference: reference ?? null,
              amount,
              currency,
              created_at_ms: nowMs,
              expires_at_ms: expiresAtMs,
              deactivated_at_ms: null,
              claimed_at_ms: user.claimed_at_ms,
            }
            await insertPaymentLink(trx, row)
            return {
              paymentLink: toPaymentLinkAnswer({ ...row, isHeld: false }, { config, currency, rates: {}, nowMs }),
            }
          },
        ),
      )
      if (once === undefined) throw paymentLinkLimitReached(deps, caller.userId, request)
      if (once.isReplay) reply.header('idempotent-replayed', 'true')
      reply.status(201)
      return once.answer
    },
  })
}
