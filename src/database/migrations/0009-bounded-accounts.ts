/** Bounds the work per account: counted payment links, deletion in batches, pages of keys. */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('payment_link_count', 'integer').execute()
  // Deleted accounts with rows left to erase.
  await db.schema
    .createIndex('users_to_erase')
    .on('users')
    .column('deleted_at_ms')
    .where(sql<boolean>`deleted_at_ms is not null and disabled_at_ms is not null`)
    .execute()
  // The export reads both in pages.
  await db.schema
    .createIndex('api_keys_by_user_created')
    .on('api_keys')
    .columns(['user_id', 'created_at_ms', 'id'])
    .execute()
  await db.schema.createIndex('key_makers_by_user_at').on('key_makers').columns(['user_id', 'at_ms', 'id']).execute()
}
