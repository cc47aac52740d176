/** A payment link in responses to its owner, with its amount in the currency of the call. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { paymentLinkStatuses, statusOfPaymentLink } from '../../domain/payment-links/payment-link-store.ts'
import type { PaymentLink } from '../../domain/payment-links/payment-link-store.ts'
import type { Config } from '../../config/settings.ts'
import { ApiError } from '../../errors.ts'
import { currencies } from '../../domain/payment-links/currency.ts'
import type { Currency } from '../../domain/payment-links/currency.ts'
import { convert } from '../../domain/payment-links/conversion.ts'
import type { Money, ReferenceRates } from '../../domain/payment-links/conversion.ts'

export const MAX_MINOR_UNITS = 99_999_999

export const MoneyAnswer = Type.Object(
  {
    value: Type.Integer({ description: 'In minor units: 1050 is 10.50.' }),
    currency: Type.Enum([...currencies], { title: 'Currency' }),
  },
  { title: 'Money' },
)

const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

const common = {
  id: Type.String(),
  url: Type.String({ description: 'The page that the payer opens.' }),
  title: Type.String(),
  reference: Type.Union([Type.String(), Type.Null()], { description: 'The caller’s own reference.' }),
  status: Type.Enum([...paymentLinkStatuses], {
    title: 'PaymentLinkStatus',
    description: 'INACTIVE: deactivated, or held until the owner keeps the API key that created it.',
  }),
  original: MoneyAnswer,
  exchangeRate: Type.Union(
    [
      Type.Object(
        {
          rate: Type.String({
            description:
              'Units of the call’s currency per unit of the original currency, to ten decimals. The amount is computed from the exact quotient.',
          }),
          date: Type.String({ format: 'date' }),
          source: Type.Literal('BNR'),
        },
        { title: 'ExchangeRate' },
      ),
      Type.Null(),
    ],
    { description: 'Null: the amount was not converted.' },
  ),
  createdAt: Type.String({ format: 'date-time' }),
  expiresAt: timeOrNull('When the link expires.'),
}

/** The response for a single link. */
export const PaymentLinkAnswer = Type.Object({ ...common, amount: MoneyAnswer }, { title: 'PaymentLink' })

export const ListedPaymentLink = Type.Object(
  {
    ...common,
    amount: Type.Union([MoneyAnswer, Type.Null()], { description: 'Null: no exchange rate is available.' }),
  },
  { title: 'ListedPaymentLink' },
)

export const examplePaymentLink: Static<typeof PaymentLinkAnswer> = {
  id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20',
  url: 'https://auth.example.com/pay/0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20',
  title: 'Website design',
  reference: 'INV-2026-014',
  status: 'ACTIVE',
  amount: { value: 245_000, currency: 'RON' },
  original: { value: 245_000, currency: 'RON' },
  exchangeRate: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  expiresAt: null,
}

export type AnswerContext = Readonly<{ config: Config; currency: Currency; rates: ReferenceRates; nowMs: number }>

export function toListedPaymentLink(
  link: PaymentLink,
  { config, currency, rates, nowMs }: AnswerContext,
): Static<typeof ListedPaymentLink> {
  const original = originalOf(link)
  const converted = original.currency === currency ? undefined : convert(original, currency, rates)
  return {
    id: link.id,
    url: paymentUrl(config, link.id),
    title: link.title,
    reference: link.reference,
    status: statusOfPaymentLink(link, nowMs),
    amount: original.currency === currency ? original : (converted?.amount ?? null),
    original,
    exchangeRate: converted ? { rate: converted.rate, date: converted.date, source: 'BNR' } : null,
    createdAt: new Date(link.created_at_ms).toISOString(),
    expiresAt: link.expires_at_ms === null ? null : new Date(link.expires_at_ms).toISOString(),
  }
}

/**
 * @throws {ApiError} `EXCHANGE_RATE_UNAVAILABLE`, naming the pair
 */
export function toPaymentLinkAnswer(link: PaymentLink, context: AnswerContext): Static<typeof PaymentLinkAnswer> {
  const { amount, ...answer } = toListedPaymentLink(link, context)
  if (amount !== null) return { ...answer, amount }
  const message = `No exchange rate from ${answer.original.currency} to ${context.currency} is available. Set X-Currency to ${answer.original.currency}, or try again later.`
  throw new ApiError('EXCHANGE_RATE_UNAVAILABLE', { message, headers: { 'retry-after': '600' } })
}

/** The amount in the link's own currency. */
export const originalOf = ({ amount, currency }: PaymentLink): Money => ({
  value: amount,
  currency: currency as Currency,
})

function paymentUrl({ paymentUrl: base }: Config, id: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${id}`
  return url.href
}
