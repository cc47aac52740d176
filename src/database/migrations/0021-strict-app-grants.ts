/** Apps that people gave access to, as rows beside their API keys, and the requests for it (docs/decisions/0064). */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const keys = () => db.schema.alterTable('api_keys')
  await keys()
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('key'))
    .execute()
  await keys().addColumn('client_id', 'text').execute()
  await keys().addColumn('resource', 'text').execute()
  await keys().addColumn('token_version', 'integer').execute()
  await db.schema
    .createTable('authorization_requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('client_name', 'text')
    .addColumn('redirect_uri', 'text', (column) => column.notNull())
    .addColumn('state', 'text')
    .addColumn('code_challenge', 'text', (column) => column.notNull())
    .addColumn('scope', 'text', (column) => column.notNull())
    .addColumn('resource', 'text', (column) => column.notNull())
    .addColumn('expires_at_ms', 'bigint', (column) => column.notNull())
    .addColumn('decided_at_ms', 'bigint')
    .addColumn('code_hash', 'text', (column) => column.unique())
    .addColumn('grant_id', 'text')
    .addColumn('redeemed_at_ms', 'bigint')
    .execute()
  await db.schema
    .createIndex('authorization_requests_by_user')
    .on('authorization_requests')
    .columns(['user_id', 'expires_at_ms'])
    .execute()
  await db.schema
    .createIndex('authorization_requests_by_expiry')
    .on('authorization_requests')
    .column('expires_at_ms')
    .execute()
}
