/** A payment link in requests, and in responses to its owner with its amount in the currency of the call. */
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { paymentLinkStatuses } from '../domain/payment-links/payment-link-store.ts'
import { MAX_MINOR_UNITS } from '../domain/payment-links/currency.ts'
import { DisplayText } from '../http/input.ts'
import { amountFields } from './money-answer.ts'
import { textOrNull, time, timeOrNull } from './answer-fields.ts'

/** The fields of a new link, besides its amount. */
export const newLinkFields = {
  title: DisplayText('What the payment is for. The payer sees it.'),
  reference: Type.Optional(DisplayText('Your own reference, for example an invoice number. The payer sees it.')),
  expiresAt: Type.Optional(
    Type.String({
      format: 'date-time',
      maxLength: 40,
      description: 'When the link expires. Default: never.',
    }),
  ),
}

export const newLinkAmount = (description: string) =>
  Type.Integer({ minimum: 1, maximum: MAX_MINOR_UNITS, description })

/** Filters of a list. */
export const linkFilters = {
  status: Type.Optional(Type.Enum([...paymentLinkStatuses], { title: 'PaymentLinkStatus' })),
  reference: Type.Optional(DisplayText('Only links with exactly this reference.')),
  search: Type.Optional(
    DisplayText(
      'Only links whose title, reference or id contains every word of this text, in any case, with or without accents.',
    ),
  ),
}

export const PaymentLinkAnswer = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'The page that the payer opens.' }),
    title: Type.String(),
    reference: textOrNull('The caller’s own reference. The payer sees it.'),
    status: Type.Enum([...paymentLinkStatuses], {
      title: 'PaymentLinkStatus',
      description: 'INACTIVE: deactivated, or held until the owner keeps the API key that created it.',
    }),
    ...amountFields,
    createdAt: time(),
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
