/** Browser and system, in words, of the requests behind events and sign-in mails (docs/decisions/0054). */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('security_events').addColumn('browser', 'text').execute()
  const mails = () => db.schema.alterTable('queued_mails')
  await mails().addColumn('browser', 'text').execute()
  await mails().addColumn('asked_at_ms', 'bigint').execute()
  await mails()
    .addColumn('asked_by_several', 'integer', (column) => column.defaultTo(0).notNull())
    .execute()
}
