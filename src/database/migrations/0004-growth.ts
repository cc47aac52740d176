/** Indexes for what was read whole: the queue of an outage, and years of pauses. */
import type { Kysely } from 'kysely'

/** Adds everything; runs in one transaction. Both tables are small but for the worst day: nobody waits long. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('queued_mails_by_email').on('queued_mails').column('email').execute()
  await db.schema.createIndex('mail_pauses_by_paused_at_ms').on('mail_pauses').column('paused_at_ms').execute()
}
