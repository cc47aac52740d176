/** The index by type gains the id, so that it finds the events of a type in the order of a page. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('security_events_of_kind')
    .on('security_events')
    .columns(['user_id', 'type', 'at_ms', 'id'])
    .execute()
  await db.schema.dropIndex('security_events_by_type').execute()
}
