/** Rate limits shared by several processes. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Columns and their order are those of rate-limiter-flexible.
  await db.schema
    .createTable('rate_limit_windows')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('points', 'integer', (column) => column.notNull())
    .addColumn('expire', 'bigint')
    .execute()
  await db.schema.createIndex('rate_limit_windows_by_expire').on('rate_limit_windows').column('expire').execute()

  await db.schema
    .createTable('rate_limit_buckets')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('full_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('rate_limit_buckets_by_full_at_ms')
    .on('rate_limit_buckets')
    .column('full_at_ms')
    .execute()
}
