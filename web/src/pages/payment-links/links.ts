import { callSignedIn } from '../../api.ts'
import type { Answer, Input } from '../../operations.ts'
import type { Currency } from './money.ts'

export type PageOfLinks = Answer<'listPaymentLinks'>

/** `amount` is in the currency of the call. */
export type PaymentLink = PageOfLinks['paymentLinks'][number]

const inCurrency = (currency: Currency) => ({ 'x-currency': currency })

/** Newest first. */
export function listLinks(currency: Currency, signal: AbortSignal, cursor?: string): Promise<PageOfLinks> {
  const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor }).toString()}`
  return callSignedIn('GET', `/payment-links${query}`, { headers: inCurrency(currency), signal })
}

export type NewLink = Input<'createPaymentLink'>

/** @param idempotencyKey reuse it on a retry, so that a lost answer does not create a second link */
export async function createLink(link: NewLink, currency: Currency, idempotencyKey: string): Promise<PaymentLink> {
  const headers = { ...inCurrency(currency), 'idempotency-key': idempotencyKey }
  return (await callSignedIn<Answer<'createPaymentLink'>>('POST', '/payment-links', { body: link, headers }))
    .paymentLink
}

/** Returns the new status. */
export async function deactivateLink({ id }: PaymentLink): Promise<PaymentLink['status']> {
  const path = `/payment-links/${id}/deactivate`
  return (await callSignedIn<Answer<'deactivatePaymentLink'>>('POST', path)).paymentLink.status
}
