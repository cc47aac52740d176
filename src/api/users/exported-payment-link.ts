import { Type } from 'typebox'
import type { Static } from 'typebox'
import { paymentLinkStatuses } from '../../domain/payment-links/payment-link-store.ts'
import { amountFields } from '../money-answer.ts'
import { examplePaymentLink } from '../payment-link-schema.ts'
import { textOrNull, time, timeOrNull } from '../answer-fields.ts'

/** A payment link in an export, with its amount in the currency of the call. */
export const ExportedPaymentLink = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    reference: textOrNull(),
    status: Type.Enum([...paymentLinkStatuses], { title: 'PaymentLinkStatus' }),
    ...amountFields,
    apiKeyId: textOrNull(),
    createdAt: time(),
    expiresAt: timeOrNull(),
    deactivatedAt: timeOrNull(),
  },
  { title: 'ExportedPaymentLink' },
)

const { url: _, ...example } = examplePaymentLink

export const exampleExportedPaymentLink: Static<typeof ExportedPaymentLink> = {
  ...example,
  apiKeyId: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11',
  deactivatedAt: null,
}
