/** An index of keys that wait for their owner, which the guard reads on every call. */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('api_keys_awaiting_owner')
    .on('api_keys')
    .column('user_id')
    .where(sql<boolean>`awaits_owner_at_ms is not null and revoked_at_ms is null`)
    .execute()
}
