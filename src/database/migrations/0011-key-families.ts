/** Key families, by which limits are counted (docs/decisions/0027). */
import type { Kysely } from 'kysely'

/** Existing keys have no family, and count individually. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('family_id', 'text').execute()
}
