/** A row for each sign-in of a person, which its token names, and the sign-ins behind events (docs/decisions/0057). */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('sign_ins')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('method', 'text', (column) => column.notNull())
    .addColumn('token_version', 'integer', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('last_seen_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('ended_at_ms', 'bigint')
    .addColumn('browser', 'text')
    .addColumn('client', 'text', (column) => column.notNull())
    .addColumn('is_new_browser', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sign_ins_by_user').on('sign_ins').columns(['user_id', 'created_at_ms', 'id']).execute()
  await db.schema.createIndex('sign_ins_by_expiry').on('sign_ins').column('expires_at_ms').execute()
  const events = () => db.schema.alterTable('security_events')
  await events().addColumn('sign_in_id', 'text').execute()
  await events().addColumn('by_sign_in_id', 'text').execute()
}
