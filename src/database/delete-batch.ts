/** Deletes in batches, so that a sweep neither waits for other transactions nor blocks them for long. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Queries } from './database.ts'
import type { Tables } from './tables/tables.ts'

/** The first matching rows in the order of an indexed column. */
export type Batch<T extends keyof Tables> = Readonly<{
  table: T
  /** The primary key. */
  key: readonly (keyof Tables[T] & string)[]
  /** Makes PostgreSQL use the index even when it estimates that most rows match. */
  orderedBy: keyof Tables[T] & string
  where(row: ExpressionBuilder<Tables, T>): Expression<SqlBool>
  limit: number
}>

/**
 * Locks the rows, and skips those locked by other transactions.
 * @returns the number of deleted rows; fewer than `limit` when no more exist or others are locked
 */
export async function deleteBatch<T extends keyof Tables>(
  db: Queries,
  { table, key, orderedBy, where, limit }: Batch<T>,
): Promise<number> {
  // The builder's types need one concrete table.
  const name = table as 'idempotency_keys'
  const columns = key as unknown as ['user_id', 'key_hash']
  // As a subquery in the condition, PostgreSQL could run it, and lock rows, more than once.
  const { numDeletedRows } = await db.query
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
