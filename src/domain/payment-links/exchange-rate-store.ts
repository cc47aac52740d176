import type { Queries, Transaction } from '../../database/database.ts'
import { currencies } from './currency.ts'
import type { ReferenceRates } from './conversion.ts'

export type RateOfDay = Readonly<{ currency: string; date: string; ronPerUnit: string }>

/** Replaces a rate of the same day: the bank may correct it. */
export async function upsertRates(trx: Transaction, rates: readonly RateOfDay[]): Promise<void> {
  await trx.query
    .insertInto('exchange_rates')
    .values(rates.map(({ currency, date, ronPerUnit }) => ({ currency, date, ron_per_unit: ronPerUnit })))
    .onConflict((conflict) =>
      conflict.columns(['currency', 'date']).doUpdateSet((row) => ({ ron_per_unit: row.ref('excluded.ron_per_unit') })),
    )
    .execute()
}

/** The newest rate of each currency. @param oldestDate older ones are left out */
export async function findLatestRates(db: Queries, oldestDate: string): Promise<ReferenceRates> {
  // One subquery per currency: a maximum over all of them would read every day.
  const rows = await db.query
    .selectFrom('exchange_rates as rate')
    .selectAll()
    .where((row) =>
      row.or(
        currencies.map((currency) => {
          const days = row.selectFrom('exchange_rates as other').where('other.currency', '=', currency)
          const newest = days.select(({ fn }) => fn.max('other.date').as('date'))
          return row.and([row('rate.currency', '=', currency), row('rate.date', '=', newest)])
        }),
      ),
    )
    .where('rate.date', '>=', oldestDate)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.currency, { ronPerUnit: row.ron_per_unit, date: row.date }]))
}
