/** The mail queue's order: networks take turns, owners go first, budgets hold mails back. */
import { sql } from 'kysely'
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const mails = () => db.schema.alterTable('queued_mails')
  await mails().addColumn('mailbox', 'text').execute()
  await mails().addColumn('network', 'text').execute()
  // Mails queued by the previous version get rank 0, because it does not know whether the address is proven.
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
  // In a flood every mail is due: waiting mails must be found without reading it.
  await index('queued_mails_out_of_line')
    .columns(['due_at_ms', 'created_at_ms'])
    .where(sql.ref('turn_at_ms'), 'is', null)
    .execute()
}
