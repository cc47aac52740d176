import { callSignedIn } from '../../api.ts'
import type { Answer, Input } from '../../operations.ts'
import type { DelayedCall } from '../../parts/delayed-calls.ts'
import { delayCall } from '../../parts/delayed-calls.ts'
import type { Currency } from './money.ts'

type Page = Answer<'GET /payment-links'>

/** `amount` is in the currency of the call. */
export type PaymentLink = Page['paymentLinks'][number]

export type LinkStatus = PaymentLink['status']

/** What a list is of. An absent status is any, an empty search finds all. */
export type Asked = Readonly<{ currency: Currency; status: LinkStatus | undefined; search: string }>

export type ListOfLinks = Page & Readonly<{ asked: Asked }>

const inCurrency = (currency: Currency) => ({ 'x-currency': currency })

/** Fewer than a page: with a filter a page may be short, and the next one has more. */
const ENOUGH = 25
/** The service reads 1,000 links for each. */
const MAX_CALLS = 10

/** Newest first. With a filter it may find fewer links than there are, or none, and still have a `nextCursor`. */
export async function findLinks(
  asked: Asked,
  signal: AbortSignal,
  cursor?: string,
  { enough = ENOUGH, maxCalls = MAX_CALLS } = {},
): Promise<ListOfLinks> {
  const found: PaymentLink[] = []
  let nextCursor = cursor ?? null
  for (let calls = 0; calls < maxCalls; calls += 1) {
    const page = await listLinks(asked, signal, nextCursor)
    found.push(...page.paymentLinks)
    nextCursor = page.nextCursor
    if (nextCursor === null || found.length >= enough) break
  }
  return { asked, paymentLinks: found, nextCursor }
}

function listLinks({ currency, status, search }: Asked, signal: AbortSignal, cursor: string | null): Promise<Page> {
  const query = {
    ...(status && { status }),
    ...(search !== '' && { search }),
    ...(cursor !== null && { cursor }),
  }
  return callSignedIn('GET /payment-links', { query, header: inCurrency(currency), signal })
}

export type NewLink = Input<'POST /payment-links'>

/** @param idempotencyKey reuse it on a retry, so that a lost answer does not create a second link */
export async function createLink(link: NewLink, currency: Currency, idempotencyKey: string): Promise<PaymentLink> {
  const header = { ...inCurrency(currency), 'idempotency-key': idempotencyKey }
  return (await callSignedIn('POST /payment-links', { body: link, header })).paymentLink
}

/** Returns undefined if it cannot be read. */
export async function readStatus({ id }: PaymentLink): Promise<LinkStatus | undefined> {
  try {
    return (await callSignedIn('GET /payment-links/{id}', { path: { id } })).paymentLink.status
  } catch {
    return undefined
  }
}

/** Deactivates the link in ten seconds, unless that is undone. */
export const deactivateLater = ({ id }: PaymentLink, outcome: Parameters<typeof delayCall>[2]): DelayedCall =>
  delayCall('POST /payment-links/{id}/deactivate', { path: { id } }, outcome)
