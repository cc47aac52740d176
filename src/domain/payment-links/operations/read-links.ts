import { ApiError } from '../../../errors.ts'
import { trimBlanks } from '../../../lib/text/display-text.ts'
import type { Position } from '../../../lib/position.ts'
import type { DomainDeps } from '../../deps.ts'
import type { Currency } from '../currency.ts'
import { findPaymentLink, findPaymentLinks } from '../payment-link-store.ts'
import type { PaymentLinkQuery } from '../payment-link-store.ts'
import { findUsableRates } from '../usable-rates.ts'
import { describeLink } from './describe-link.ts'
import type { LinkDescription } from './describe-link.ts'

type Deps = Pick<DomainDeps, 'config' | 'db' | 'clock' | 'sampleRates'>

/**
 * A page of the account's payment links, newest first.
 * @param currency the one to show the amounts in
 */
export async function readLinks(
  deps: Deps,
  userId: string,
  currency: Currency,
  { reference, search, ...query }: Omit<PaymentLinkQuery, 'nowMs'>,
): Promise<Readonly<{ paymentLinks: LinkDescription[]; next: Position | undefined }>> {
  const { config, db, clock } = deps
  const nowMs = clock.now()
  const trimmed = { reference: reference && trimBlanks(reference), search: search && trimBlanks(search) }
  const { links, next } = await findPaymentLinks(db, userId, { ...query, nowMs, ...trimmed })
  const rates = await findUsableRates(deps, db, links, currency)
  return { paymentLinks: links.map((link) => describeLink(link, { config, currency, rates, nowMs })), next }
}

/**
 * @param currency the one to show the amount in
 * @throws {ApiError} `NOT_FOUND` if it is not a link of the account
 */
export async function readLink(deps: Deps, userId: string, currency: Currency, id: string): Promise<LinkDescription> {
  const { config, db, clock } = deps
  const link = await findPaymentLink(db, id, userId)
  if (link === undefined) throw new ApiError('NOT_FOUND')
  const rates = await findUsableRates(deps, db, [link], currency)
  return describeLink(link, { config, currency, rates, nowMs: clock.now() })
}
