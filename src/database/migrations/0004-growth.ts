/** Indexes against full scans of the mail queue after an outage, and of years of mail pauses. */
import type { Kysely } from 'kysely'

/** Both tables are small except after an outage, so nobody waits long. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('queued_mails_by_email').on('queued_mails').column('email').execute()
  await db.schema.createIndex('mail_pauses_by_paused_at_ms').on('mail_pauses').column('paused_at_ms').execute()
}
