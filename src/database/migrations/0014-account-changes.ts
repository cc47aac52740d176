/** The last deletion, disabling or enabling of each account, in the order of the commits (docs/decisions/0049). */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('account_changes')
    .addColumn('user_id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('account_changes_by_position').on('account_changes').column('position').execute()
  await db.schema
    .createTable('account_change_counter')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('position', 'bigint', (column) => column.notNull())
    .execute()
}
