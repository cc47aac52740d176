/** Google identities and single-use credentials. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('identities')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('connected_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('sign_in_id', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('identities_once', ['issuer', 'subject'])
    .execute()
  await db.schema.createIndex('identities_by_user').on('identities').columns(['user_id', 'issuer']).unique().execute()

  await db.schema
    .createTable('spent_credentials')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('spent_credentials_by_expires_at_ms')
    .on('spent_credentials')
    .column('expires_at_ms')
    .execute()
}
