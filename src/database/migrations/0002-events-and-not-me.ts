/** Security events, mail buttons and pauses, key rotation and expiry notices. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('locale', 'text').execute()
  await db.schema.alterTable('users').addColumn('deleted_at_ms', 'bigint').execute()

  await db.schema.alterTable('api_keys').addColumn('rotated_at_ms', 'bigint').execute()
  await db.schema.alterTable('api_keys').addColumn('previous_secret_hash', 'text').execute()
  await db.schema.alterTable('api_keys').addColumn('previous_secret_until_ms', 'bigint').execute()
  await db.schema.alterTable('api_keys').addColumn('week_notice_at_ms', 'bigint').execute()
  await db.schema.alterTable('api_keys').addColumn('day_notice_at_ms', 'bigint').execute()
  await index(db, 'api_keys', ['secret_hash'])
  await index(db, 'api_keys', ['previous_secret_hash'])
  await index(db, 'api_keys', ['expires_at_ms'])

  await db.schema
    .createTable('key_makers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('key_id', 'text', (column) => column.notNull())
    .addColumn('how', 'text', (column) => column.notNull())
    .addColumn('maker_key_id', 'text')
    .addColumn('sign_in_id', 'text')
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await index(db, 'key_makers', ['user_id'])

  await db.schema
    .createTable('security_events')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('at_ms', 'bigint', (column) => column.notNull())
    .addColumn('client', 'text')
    .addColumn('api_key_id', 'text')
    .addColumn('by_api_key_id', 'text')
    .addColumn('detail', 'text')
    .addColumn('times', 'integer', (column) => column.notNull())
    .execute()
  await index(db, 'security_events', ['user_id', 'at_ms', 'id'])
  await index(db, 'security_events', ['at_ms'])

  await db.schema
    .createTable('mail_buttons')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('mail_kind', 'text', (column) => column.notNull())
    .addColumn('mailed_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('link_hash', 'text')
    .addColumn('sign_in_id', 'text')
    .addColumn('tells_since_ms', 'bigint')
    .addColumn('used_at_ms', 'bigint')
    .execute()
  await index(db, 'mail_buttons', ['email'])
  await index(db, 'mail_buttons', ['link_hash'])
  await index(db, 'mail_buttons', ['expires_at_ms'])

  await db.schema.alterTable('queued_mails').addColumn('tells_since_ms', 'bigint').execute()
  await db.schema
    .createTable('mail_pauses')
    .addColumn('email', 'text', (column) => column.primaryKey())
    .addColumn('paused_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('mailed_at_ms', 'bigint')
    .execute()
}

async function index(db: Kysely<unknown>, table: string, columns: string[]): Promise<void> {
  await db.schema
    .createIndex(`${table}_by_${columns.join('_')}`)
    .on(table)
    .columns(columns)
    .execute()
}
