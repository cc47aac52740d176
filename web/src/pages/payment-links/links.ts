/** Payment links through the public API. */
import { callSignedIn } from '../../api.ts'
import type { Currency, Money } from './money.ts'

/** A payment link (`GET /payment-links`). */
export type PaymentLink = Readonly<{
  id: string
  url: string
  title: string
  reference: string | null
  status: 'ACTIVE' | 'INACTIVE' | 'EXPIRED'
  /** In the currency of the call; null: no exchange rate is held. */
  amount: Money | null
  original: Money
  exchangeRate: Readonly<{ rate: string; date: string; source: string }> | null
  createdAt: string
  expiresAt: string | null
}>

/** A page of them. */
export type PageOfLinks = Readonly<{ paymentLinks: readonly PaymentLink[]; nextCursor: string | null }>

const inCurrency = (currency: Currency) => ({ 'x-currency': currency })

/** The links, newest first. */
export function listLinks(currency: Currency, cursor?: string): Promise<PageOfLinks> {
  const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor }).toString()}`
  return callSignedIn('GET', `/payment-links${query}`, undefined, inCurrency(currency))
}

/** What a link is made of. */
export type NewLink = Readonly<{ amount: number; title: string; reference?: string; expiresAt?: string }>

/** Makes a link. @param idempotencyKey the same for each try, so that a lost answer makes no second one */
export async function createLink(link: NewLink, currency: Currency, idempotencyKey: string): Promise<PaymentLink> {
  const headers = { ...inCurrency(currency), 'idempotency-key': idempotencyKey }
  return (await callSignedIn<{ paymentLink: PaymentLink }>('POST', '/payment-links', link, headers)).paymentLink
}

/** Deactivates it. */
export async function deactivateLink({ id }: PaymentLink): Promise<void> {
  await callSignedIn('POST', `/payment-links/${id}/deactivate`)
}
