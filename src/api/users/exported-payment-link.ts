import { Type } from 'typebox'
import type { Static } from 'typebox'
import { paymentLinkStatuses, statusOfPaymentLink } from '../../domain/payment-links/payment-link-store.ts'
import type { PaymentLink } from '../../domain/payment-links/payment-link-store.ts'

const time = Type.String({ format: 'date-time' })
const timeOrNull = Type.Union([time, Type.Null()])
const textOrNull = Type.Union([Type.String(), Type.Null()])

/** A payment link in an export, in its own currency. */
export const ExportedPaymentLink = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    reference: textOrNull,
    status: Type.Enum([...paymentLinkStatuses], { title: 'PaymentLinkStatus' }),
    value: Type.Integer({ description: 'In minor units of the currency.' }),
    currency: Type.String(),
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
  value: 245_000,
  currency: 'RON',
  apiKeyId: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11',
  createdAt: '2026-11-21T10:00:00.000Z',
  expiresAt: null,
  deactivatedAt: null,
}

export const toExportedPaymentLink = (link: PaymentLink, nowMs: number): Static<typeof ExportedPaymentLink> => ({
  id: link.id,
  title: link.title,
  reference: link.reference,
  status: statusOfPaymentLink(link, nowMs),
  value: link.amount,
  currency: link.currency,
  apiKeyId: link.api_key_id,
  createdAt: toIso(link.created_at_ms),
  expiresAt: toIsoOrNull(link.expires_at_ms),
  deactivatedAt: toIsoOrNull(link.deactivated_at_ms),
})

const toIso = (atMs: number): string => new Date(atMs).toISOString()
const toIsoOrNull = (atMs: number | null): string | null => (atMs === null ? null : toIso(atMs))
