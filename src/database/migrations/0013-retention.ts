/** Retention: the ids of revoked keys whose records are deleted, and indexes of what the sweeps delete. */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('revoked_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('revoked_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('api_keys_by_revoked_at_ms')
    .on('api_keys')
    .column('revoked_at_ms')
    .where(sql.ref('revoked_at_ms'), 'is not', null)
    .execute()
  // An expression, so that PostgreSQL does not use it for a page of an account's links.
  const endedAtMs = sql<number>`coalesce(deactivated_at_ms, expires_at_ms)`
  await db.schema
    .createIndex('payment_links_by_end')
    .on('payment_links')
    .expression(sql`(${endedAtMs})`)
    .where(endedAtMs, 'is not', null)
    .execute()
  await db.schema
    .createIndex('users_unclaimed')
    .on('users')
    .columns(['created_at_ms', 'id'])
    .where(sql<boolean>`claimed_at_ms is null and deleted_at_ms is null`)
    .execute()
}
