import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('name', 'text')
    .addColumn('token_version', 'integer', (column) => column.notNull())
    .addColumn('claimed_at_ms', 'bigint')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('api_keys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('key_id', 'text', (column) => column.notNull().unique())
    .addColumn('secret_hash', 'text', (column) => column.notNull())
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint')
    .addColumn('awaits_owner_at_ms', 'bigint')
    .addColumn('revoked_at_ms', 'bigint')
    .addColumn('last_used_at_ms', 'bigint')
    .execute()
  await db.schema.createIndex('api_keys_by_user').on('api_keys').column('user_id').execute()

  await db.schema
    .createTable('magic_links')
    .addColumn('token_hash', 'text', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('redirect_to', 'text')
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('magic_links_by_email').on('magic_links').column('email').execute()
  await db.schema.createIndex('magic_links_by_expiry').on('magic_links').column('expires_at_ms').execute()

  await db.schema
    .createTable('queued_mails')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('redirect_to', 'text')
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('leased_until_ms', 'bigint')
    .addColumn('created_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('queued_mails_once').on('queued_mails').columns(['kind', 'email']).unique().execute()
  await db.schema.createIndex('queued_mails_by_due').on('queued_mails').column('due_at_ms').execute()
}
