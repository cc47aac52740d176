/** The amounts that keys made payment links for. */
import type { Selectable } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../../database/database.ts'
import { deleteBatch } from '../../../database/delete-batch.ts'
import { preparedInTransaction } from '../../../database/prepared.ts'
import type { RowParameters } from '../../../database/prepared.ts'
import type { KeyAmountsTable } from '../../../database/tables/key-tables.ts'

export type KeyAmount = Selectable<KeyAmountsTable>

/** Adds to what the key made on this day. The caller holds the user's lock. */
export const addAmount = preparedInTransaction((query: QueryBuilder, made: RowParameters<KeyAmount>) =>
  query
    .insertInto('key_amounts')
    .values(made)
    .onConflict((conflict) =>
      conflict
        .columns(['key_id', 'day', 'currency'])
        .doUpdateSet((row) => ({ amount: row('key_amounts.amount', '+', row.ref('excluded.amount')) })),
    ),
)

/** What the keys of the user made on a day, in one currency. */
export function findAmountsOfDay(
  db: Queries,
  userId: string,
  { day, currency }: Pick<KeyAmount, 'day' | 'currency'>,
): Promise<Pick<KeyAmount, 'key_id' | 'amount'>[]> {
  return db.query
    .selectFrom('key_amounts')
    .select(['key_id', 'amount'])
    .where('user_id', '=', userId)
    .where('day', '=', day)
    .where('currency', '=', currency)
    .execute()
}

/** All amounts on record of the user's keys. */
export function findAmountsOf(db: Queries, userId: string): Promise<KeyAmount[]> {
  const amounts = db.query.selectFrom('key_amounts').selectAll().where('user_id', '=', userId)
  return amounts.orderBy('day').orderBy('key_id').orderBy('currency').execute()
}

/** Deletes a batch of amounts of earlier days. @returns rows deleted; fewer than `limit` when none are left */
export function deleteAmountsBefore(db: Queries, day: string, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'key_amounts',
    key: ['key_id', 'day', 'currency'],
    orderedBy: 'day',
    where: (row) => row('day', '<', day),
    limit,
  })
}

/** Counts what one key made as made by another. The caller holds the user's lock. */
export async function moveAmounts(trx: Transaction, fromKeyId: string, toKeyId: string): Promise<void> {
  const moved = await trx.query.deleteFrom('key_amounts').where('key_id', '=', fromKeyId).returningAll().execute()
  for (const each of moved) await addAmount(trx, { ...each, key_id: toKeyId })
}
