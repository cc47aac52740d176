/** Payment links through the public API. */
import { callSignedIn } from '../../api.ts'
import type { Answer, Input } from '../../operations.ts'
import type { Currency } from './money.ts'

/** A page of links. */
export type PageOfLinks = Answer<'listPaymentLinks'>

/** A payment link; its amount is in the currency of the call. */
export type PaymentLink = PageOfLinks['paymentLinks'][number]

const inCurrency = (currency: Currency) => ({ 'x-currency': currency })

/** The links, newest first. */
export function listLinks(currency: Currency, cursor?: string): Promise<PageOfLinks> {
  const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor }).toString()}`
  return callSignedIn('GET', `/payment-links${query}`, undefined, inCurrency(currency))
}

/** What a link is made of. */
export type NewLink = Input<'createPaymentLink'>

/** Makes a link. @param idempotencyKey the same for each try, so that a lost answer makes no second one */
export async function createLink(link: NewLink, currency: Currency, idempotencyKey: string): Promise<PaymentLink> {
  const headers = { ...inCurrency(currency), 'idempotency-key': idempotencyKey }
  return (await callSignedIn<Answer<'createPaymentLink'>>('POST', '/payment-links', link, headers)).paymentLink
}

/** Deactivates it. */
export async function deactivateLink({ id }: PaymentLink): Promise<void> {
  await callSignedIn('POST', `/payment-links/${id}/deactivate`)
}
