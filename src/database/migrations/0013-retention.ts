/** Retention: the ids of revoked keys whose records are deleted, and indexes of what the sweeps delete. */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('revoked_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('revoked_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  for (const [table, column] of [
    ['api_keys', 'revoked_at_ms'],
    ['payment_links', 'deactivated_at_ms'],
    ['payment_links', 'expires_at_ms'],
  ] as const) {
    await db.schema
      .createIndex(`${table}_by_${column}`)
      .on(table)
      .column(column)
      .where(sql.ref(column), 'is not', null)
      .execute()
  }
  await db.schema
    .createIndex('users_unclaimed')
    .on('users')
    .columns(['created_at_ms', 'id'])
    .where(sql<boolean>`claimed_at_ms is null and deleted_at_ms is null`)
    .execute()
}
