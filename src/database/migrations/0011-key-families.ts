/** The family of a key, by which limits are counted (docs/decisions/0027). */
import type { Kysely } from 'kysely'

/** Adds everything; runs in one transaction. Keys from before have none, and count by themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('family_id', 'text').execute()
}
