/** Payment links, exchange rates, and stored answers for idempotency keys. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('payment_links')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('api_key_id', 'text')
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('reference', 'text')
    .addColumn('amount', 'integer', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint')
    .addColumn('deactivated_at_ms', 'bigint')
    .addColumn('claimed_at_ms', 'bigint')
    .execute()
  await db.schema
    .createIndex('payment_links_by_user')
    .on('payment_links')
    .columns(['user_id', 'created_at_ms', 'id'])
    .execute()
  await db.schema
    .createIndex('payment_links_by_reference')
    .on('payment_links')
    .columns(['user_id', 'reference', 'created_at_ms', 'id'])
    .execute()

  // Whether a link is held is checked link by link, and a key may have very many rows.
  await db.schema.createIndex('key_makers_by_key').on('key_makers').columns(['key_id', 'how']).execute()

  await db.schema
    .createTable('exchange_rates')
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('date', 'text', (column) => column.notNull())
    .addColumn('ron_per_unit', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('exchange_rates_once', ['currency', 'date'])
    .execute()

  await db.schema
    .createTable('idempotency_keys')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('request_hash', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_once', ['user_id', 'key_hash'])
    .execute()
  await db.schema
    .createIndex('idempotency_keys_by_created_at_ms')
    .on('idempotency_keys')
    .column('created_at_ms')
    .execute()
}
