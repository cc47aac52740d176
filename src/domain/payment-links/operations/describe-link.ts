import type { Config } from '../../../config/settings.ts'
import { toAmounts } from '../amounts.ts'
import type { Amounts } from '../amounts.ts'
import type { ReferenceRates } from '../conversion.ts'
import type { Currency } from '../currency.ts'
import { statusOfPaymentLink } from '../payment-link-store.ts'
import type { PaymentLink, PaymentLinkStatus } from '../payment-link-store.ts'

/** A payment link for its owner. Times are in ISO 8601. */
export type LinkDescription = Amounts & {
  id: string
  /** The page that the payer opens. */
  url: string
  title: string
  reference: string | null
  status: PaymentLinkStatus
  createdAt: string
  expiresAt: string | null
}

type Context = Readonly<{ config: Config; currency: Currency; rates: ReferenceRates; nowMs: number }>

/** @param context `currency`: the one to show the amount in */
export function describeLink(link: PaymentLink, { config, currency, rates, nowMs }: Context): LinkDescription {
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
