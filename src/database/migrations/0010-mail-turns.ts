/** The mail queue's order: turns between client networks, owners first, and what a budget holds back. */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

/** Adds everything; runs in one transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const mails = () => db.schema.alterTable('queued_mails')
  await mails().addColumn('mailbox', 'text').execute()
  await mails().addColumn('network', 'text').execute()
  // What the version before queues goes first: it does not say for whom it is.
  await mails()
    .addColumn('turn_rank', 'integer', (column) => column.defaultTo(0).notNull())
    .execute()
  await mails().addColumn('turn_at_ms', 'bigint').execute()
  await mails().addColumn('held_until_ms', 'bigint').execute()

  await db.schema
    .createTable('spelled_mailboxes')
    .addColumn('email', 'text', (column) => column.primaryKey())
    .addColumn('mailbox', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('spelled_mailboxes_by_mailbox').on('spelled_mailboxes').column('mailbox').execute()

  const index = (name: string) => db.schema.createIndex(name).on('queued_mails')
  await index('queued_mails_by_turn').columns(['turn_rank', 'turn_at_ms']).execute()
  await index('queued_mails_by_age').columns(['turn_rank', 'created_at_ms']).execute()
  await index('queued_mails_by_network').columns(['network', 'turn_at_ms']).execute()
  await index('queued_mails_by_mailbox').column('mailbox').execute()
  // Of a flood every mail is due: those that wait for a time must be found without reading it.
  await index('queued_mails_out_of_line')
    .columns(['due_at_ms', 'created_at_ms'])
    .where(sql.ref('turn_at_ms'), 'is', null)
    .execute()
}
