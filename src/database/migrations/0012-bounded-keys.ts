/**
 * Bounds the history of an account: indexes of keys by their end, of makers, of a key's payment links, of events by
 * type.
 */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('api_keys_by_user_end')
    .on('api_keys')
    .columns(['user_id', 'revoked_at_ms', 'expires_at_ms'])
    .execute()
  await db.schema.createIndex('key_makers_by_maker').on('key_makers').columns(['user_id', 'maker_key_id']).execute()
  await db.schema
    .createIndex('security_events_by_type')
    .on('security_events')
    .columns(['user_id', 'type', 'at_ms'])
    .execute()
  await db.schema.alterTable('key_makers').addColumn('last_at_ms', 'bigint').execute()
  await db.schema
    .createIndex('payment_links_by_key')
    .on('payment_links')
    .column('api_key_id')
    .where(sql<boolean>`api_key_id is not null and deactivated_at_ms is null`)
    .execute()
}
