/** Disabled accounts: their credentials are refused, which older versions do not check. */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('users').addColumn('disabled_at_ms', 'bigint').execute()
}
