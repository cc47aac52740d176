/** A payment link in responses to its owner, with its amount in the currency of the call. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { paymentLinkStatuses, statusOfPaymentLink } from '../../domain/payment-links/payment-link-store.ts'
import type { PaymentLink } from '../../domain/payment-links/payment-link-store.ts'
import type { Config } from '../../config/settings.ts'
import type { Currency } from '../../domain/payment-links/currency.ts'
import type { ReferenceRates } from '../../domain/payment-links/conversion.ts'
import { toAmounts } from '../../domain/payment-links/amounts.ts'
import { amountFields } from '../money-answer.ts'

const timeOrNull = (description: string) =>
  Type.Union([Type.String({ format: 'date-time' }), Type.Null()], { description })

export const PaymentLinkAnswer = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'The page that the payer opens.' }),
    title: Type.String(),
    reference: Type.Union([Type.String(), Type.Null()], {
      description: 'The caller’s own reference. The payer sees it.',
    }),
    status: Type.Enum([...paymentLinkStatuses], {
      title: 'PaymentLinkStatus',
      description: 'INACTIVE: deactivated, or held until the owner keeps the API key that created it.',
    }),
    ...amountFields,
    createdAt: Type.String({ format: 'date-time' }),
    expiresAt: timeOrNull('When the link expires.'),
  },
  { title: 'PaymentLink' },
)

export const examplePaymentLink: Static<typeof PaymentLinkAnswer> = {
  id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20',
  url: 'https://auth.example.com/pay/0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20',
  title: 'Website design',
  reference: 'INV-2026-014',
  status: 'ACTIVE',
  amount: { value: 245_000, currency: 'EUR' },
  original: { value: 245_000, currency: 'EUR' },
  exchangeRate: null,
  createdAt: '2026-11-21T10:00:00.000Z',
  expiresAt: null,
}

export type AnswerContext = Readonly<{ config: Config; currency: Currency; rates: ReferenceRates; nowMs: number }>

export function toPaymentLinkAnswer(
  link: PaymentLink,
  { config, currency, rates, nowMs }: AnswerContext,
): Static<typeof PaymentLinkAnswer> {
  return {
    id: link.id,
    url: paymentUrl(config, link.id),
    title: link.title,
    reference: link.reference,
    status: statusOfPaymentLink(link, nowMs),
    ...toAmounts(link, currency, rates),
    createdAt: new Date(link.created_at_ms).toISOString(),
    expiresAt: link.expires_at_ms === null ? null : new Date(link.expires_at_ms).toISOString(),
  }
}

export function paymentUrl({ paymentUrl: base }: Pick<Config, 'paymentUrl'>, id: string): string {
  const url = new URL(base)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${id}`
  return url.href
}
