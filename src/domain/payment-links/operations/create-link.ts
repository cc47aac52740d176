import { ApiError } from '../../../errors.ts'
import type { DomainDeps } from '../../deps.ts'
import type { EventSource } from '../../events/security-events.ts'
import { withIdempotencyKey } from '../../idempotency/idempotency.ts'
import type { Once } from '../../idempotency/idempotency.ts'
import { withAuthority } from '../../sign-in/authority.ts'
import type { Caller } from '../../sign-in/authority.ts'
import { countAmount } from '../amount-limits.ts'
import type { Currency } from '../currency.ts'
import { countNewPaymentLink, paymentLinkLimitReached } from '../payment-link-limit.ts'
import { insertPaymentLink } from '../payment-link-store.ts'
import { describeLink } from './describe-link.ts'
import type { LinkDescription } from './describe-link.ts'

/** The last time with a four-digit year in ISO 8601. */
const LATEST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

type NewLink = Readonly<{
  /** In minor units. */
  amount: number
  title: string
  reference?: string
  /** Date and time of RFC 3339. */
  expiresAt?: string
}>

/**
 * Creates a payment link of the caller, once per `Idempotency-Key`.
 * @param fields what the idempotency key stands for, besides the currency: absent fields must be absent, not undefined
 * @param source of the event when the account has reached its limit
 * @throws {ApiError} `VALIDATION_FAILED`, `AMOUNT_NOT_ALLOWED`, `IDEMPOTENCY_CONFLICT`, `PAYMENT_LINK_LIMIT_REACHED`, and
 * those of `withAuthority`; nothing is created
 */
export async function createLink(
  deps: DomainDeps,
  caller: Caller,
  fields: NewLink,
  {
    currency,
    idempotencyKey,
    source,
  }: Readonly<{
    currency: Currency
    idempotencyKey: string | undefined
    source: Pick<EventSource, 'ip' | 'browser'>
  }>,
): Promise<Once<{ paymentLink: LinkDescription }>> {
  const { config, clock, random } = deps
  const { amount, title, reference, expiresAt } = fields
  const nowMs = clock.now()
  const expiresAtMs = expiresAt === undefined ? null : Date.parse(expiresAt)
  const once = await withAuthority(deps, caller, (trx, user) =>
    withIdempotencyKey(trx, { key: idempotencyKey, caller, user, nowMs }, { currency, ...fields }, async () => {
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
      return { paymentLink: describeLink({ ...row, isHeld: false }, { config, currency, rates: {}, nowMs }) }
    }),
  )
  if (once === undefined) throw paymentLinkLimitReached(deps, caller.userId, source)
  return once
}
