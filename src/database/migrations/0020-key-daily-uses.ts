/** How often each key was exchanged and refused, per day (docs/decisions/0062). */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('key_daily_uses')
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('exchanges', 'integer', (column) => column.notNull())
    .addColumn('refusals', 'integer', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('key_daily_uses_pkey', ['key_id', 'day'])
    .execute()
  await db.schema.createIndex('key_daily_uses_by_day').on('key_daily_uses').column('day').execute()
  await db.schema
    .createIndex('key_daily_uses_by_user')
    .on('key_daily_uses')
    .columns(['user_id', 'key_id', 'day'])
    .execute()
}
