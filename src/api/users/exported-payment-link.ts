import { Type } from 'typebox'
import type { Static } from 'typebox'
import { paymentLinkStatuses } from '../../domain/payment-links/payment-link-store.ts'
import { amountFields } from '../money-answer.ts'

const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const textOrNull = Type.Union([Type.String(), Type.Null()])

/** A payment link in an export, with its amount in the currency of the call. */
export const ExportedPaymentLink = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    reference: textOrNull,
    status: Type.Enum([...paymentLinkStatuses], { title: 'PaymentLinkStatus' }),
    ...amountFields,
    apiKeyId: textOrNull,
    createdAt: time,
    expiresAt: timeOrNull,
    deactivatedAt: timeOrNull,
  },
  { title: 'ExportedPaymentLink' },
)

export const exampleExportedPaymentLink: Static<typeof ExportedPaymentLink> = {
  id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f20',
  title: 'Website design',
  reference: 'INV-2026-014',
  status: 'ACTIVE',
  amount: { value: 245_000, currency: 'EUR' },
  original: { value: 245_000, currency: 'EUR' },
  exchangeRate: null,
  apiKeyId: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11',
  createdAt: '2026-11-21T10:00:00.000Z',
  expiresAt: null,
  deactivatedAt: null,
}
