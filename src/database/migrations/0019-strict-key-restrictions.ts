/** What keys may do, and the amounts that their tokens made payment links for (docs/decisions/0061). */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const keys = () => db.schema.alterTable('api_keys')
  await keys().addColumn('restrictions', 'text').execute()
  await keys().addColumn('effective_restrictions', 'text').execute()
  await keys().addColumn('creator_id', 'text').execute()
  // Partial: otherwise it is chosen for reads of all keys of a user.
  await db.schema
    .createIndex('api_keys_by_creator')
    .on('api_keys')
    .column('creator_id')
    .where(sql.ref('creator_id'), 'is not', null)
    .execute()
  await db.schema
    .createTable('key_amounts')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('currency', 'text', (column) => column.notNull())
    .addColumn('amount', 'bigint', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('key_amounts_pkey', ['key_id', 'day', 'currency'])
    .execute()
  await db.schema.createIndex('key_amounts_by_day').on('key_amounts').column('day').execute()
  await db.schema.createIndex('key_amounts_by_user').on('key_amounts').columns(['user_id', 'day']).execute()
}
