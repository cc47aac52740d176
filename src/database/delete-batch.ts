/** Deletes rows in batches: a sweep neither waits for another transaction nor keeps one waiting for long. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Queries } from './database.ts'
import type { Tables } from './tables/tables.ts'

/** The first `limit` rows of a table, in the order of an indexed column, that meet a condition. */
export type Batch<T extends keyof Tables> = Readonly<{
  table: T
  /** The table's primary key. */
  key: readonly (keyof Tables[T] & string)[]
  /** Makes PostgreSQL use the index, also while it believes that most of the table meets the condition. */
  orderedBy: keyof Tables[T] & string
  where(row: ExpressionBuilder<Tables, T>): Expression<SqlBool>
  limit: number
}>

/**
 * Deletes a batch. Locks its rows and skips those that another transaction has locked.
 * @returns how many; fewer than `limit`: no more are there, or others have locked them
 */
export async function deleteBatch<T extends keyof Tables>(
  db: Queries,
  { table, key, orderedBy, where, limit }: Batch<T>,
): Promise<number> {
  // The builder's types need one table's names: these stand for any.
  const name = table as 'idempotency_keys'
  const columns = key as unknown as ['user_id', 'key_hash']
  const { numDeletedRows } = await db.query // As a subquery of the condition, PostgreSQL could run it, and lock rows, more than once.
    .with('batch', (some) =>
      some
        .selectFrom(name)
        .select(columns)
        .where((row) => where(row as unknown as ExpressionBuilder<Tables, T>))
        .orderBy(orderedBy as 'key_hash')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom(name)
    .where((row) =>
      row.eb(
        row.refTuple(...columns),
        'in',
        row
          .selectFrom('batch')
          .select(columns)
          .$asTuple(...columns),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
