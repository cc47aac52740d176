/** Rates that amounts may be shown with: a rate that is too old is none. */
import type { Queries } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'
import type { ReferenceRates } from './conversion.ts'
import type { Currency } from './currency.ts'
import { findLatestRates } from './exchange-rate-store.ts'

/** Longer than any run of days without banking, such as Easter or the turn of the year. */
const MAX_AGE_MS = 7 * 24 * 3600 * 1000

/**
 * The rates to show these amounts in a currency: at most seven days old, or sample rates in development.
 * @returns none if every amount is in that currency
 */
export async function findUsableRates(
  { clock, sampleRates }: Pick<DomainDeps, 'clock' | 'sampleRates'>,
  db: Queries,
  amounts: readonly Readonly<{ currency: string }>[],
  currency: Currency,
): Promise<ReferenceRates> {
  if (amounts.every((amount) => amount.currency === currency)) return {}
  return findAllUsableRates({ clock, sampleRates }, db)
}

export async function findAllUsableRates(
  { clock, sampleRates }: Pick<DomainDeps, 'clock' | 'sampleRates'>,
  db: Queries,
): Promise<ReferenceRates> {
  const oldestDate = new Date(clock.now() - MAX_AGE_MS).toISOString().slice(0, 10)
  return { ...sampleRates, ...(await findLatestRates(db, oldestDate)) }
}
