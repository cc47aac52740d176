import type { Queries } from '../../database/database.ts'
import { currencies } from './currency.ts'
import { findLatestRates } from './exchange-rate-store.ts'

/** Time since the start of the day of the stored rates, of the oldest if they differ; `undefined` if one is missing. */
export async function findRatesAgeMs(db: Queries, nowMs: number): Promise<number | undefined> {
  const latest = await findLatestRates(db, '')
  const days = currencies.flatMap((currency) => (currency === 'RON' ? [] : [Date.parse(latest[currency]?.date ?? '')]))
  const ageMs = nowMs - Math.min(...days)
  return Number.isNaN(ageMs) ? undefined : Math.max(0, ageMs)
}
