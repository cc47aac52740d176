/** Changes of accounts' addresses: asked for, confirmed, and until when they can be undone (docs/decisions/0059). */
import { sql } from 'kysely'
import type { Kysely, SqlBool } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('address_changes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('old_email', 'text', (column) => column.notNull())
    .addColumn('new_email', 'text', (column) => column.notNull())
    .addColumn('sign_in_id', 'text', (column) => column.notNull())
    .addColumn('token_version', 'integer', (column) => column.notNull())
    .addColumn('asked_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('confirmed_at_ms', 'bigint')
    .addColumn('undo_until_ms', 'bigint')
    .addColumn('ended_at_ms', 'bigint')
    .addColumn('deletion_asked_at_ms', 'bigint')
    .addColumn('identities', 'text')
    .addColumn('kept_until_ms', 'bigint', (column) => column.notNull())
    .execute()
  await index(db, ['user_id', 'token_version'])
  await index(db, ['old_email', 'token_version'])
  await index(db, ['new_email'])
  await index(db, ['kept_until_ms'])
  await db.schema
    .createIndex('address_changes_with_deletion')
    .on('address_changes')
    .column('undo_until_ms')
    .where(sql.ref('deletion_asked_at_ms'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('security_events_that_disown')
    .on('security_events')
    .columns(['user_id', 'at_ms'])
    .where(sql<SqlBool>`type in ('not_me', 'email_change_undone')`)
    .where(sql.ref('sign_in_id'), 'is not', null)
    .execute()
}

async function index(db: Kysely<unknown>, columns: string[]): Promise<void> {
  await db.schema
    .createIndex(`address_changes_by_${columns.join('_')}`)
    .on('address_changes')
    .columns(columns)
    .execute()
}
