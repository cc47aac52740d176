/** When an operator disabled an account: its credentials are refused, which older versions do not look at. */
import type { Kysely } from 'kysely'

/** Adds everything; runs in one transaction. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('disabled_at_ms', 'bigint').execute()
}
