/**
 * Of an insert's cost most is its indexes: most keys have no former secret and no end, and two indexes serve no query
 * that another does not.
 */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('api_keys_with_former_secret')
    .on('api_keys')
    .column('previous_secret_hash')
    .where(sql<boolean>`"previous_secret_hash" is not null`)
    .execute()
  await db.schema
    .createIndex('api_keys_with_expiry')
    .on('api_keys')
    .column('expires_at_ms')
    .where(sql<boolean>`"expires_at_ms" is not null`)
    .execute()
  await db.schema.dropIndex('api_keys_by_previous_secret_hash').execute()
  await db.schema.dropIndex('api_keys_by_expires_at_ms').execute()
  // By user: `api_keys_by_user_created`. Due: `queued_mails_by_turn`, `queued_mails_out_of_line`.
  await db.schema.dropIndex('api_keys_by_user').execute()
  await db.schema.dropIndex('queued_mails_by_due').execute()
}
