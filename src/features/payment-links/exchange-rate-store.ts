/** The exchange_rates table: every query on it. */
import type { Db, DbTransaction } from '../../db/db.ts'
import { currencies } from '../../http/currency.ts'
import type { ReferenceRates } from './conversion.ts'

/** A rate of a day. */
export type RateOfDay = Readonly<{ currency: string; date: string; ronPerUnit: string }>

/** Keeps rates; a day's rate that is there already is replaced: the bank may correct it. */
export async function keepRates(trx: DbTransaction, rates: readonly RateOfDay[]): Promise<void> {
  await trx
    .insertInto('exchange_rates')
    .values(rates.map(({ currency, date, ronPerUnit }) => ({ currency, date, ron_per_unit: ronPerUnit })))
    .onConflict((conflict) =>
      conflict.columns(['currency', 'date']).doUpdateSet((row) => ({ ron_per_unit: row.ref('excluded.ron_per_unit') })),
    )
    .execute()
}

/** The newest rate held of each currency. */
export async function findLatestRates(db: Db): Promise<ReferenceRates> {
  const rows = await db
    .selectFrom('exchange_rates as rate')
    .selectAll()
    .where('rate.date', '=', (newest) =>
      newest
        .selectFrom('exchange_rates as other')
        .select(({ fn }) => fn.max('other.date').as('date'))
        .whereRef('other.currency', '=', 'rate.currency'),
    )
    .where('rate.currency', 'in', currencies)
    .execute()
  return Object.fromEntries(rows.map((row) => [row.currency, { ronPerUnit: row.ron_per_unit, date: row.date }]))
}
