/** From which network each key was last used (docs/decisions/0062). */
import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('last_used_network', 'text').execute()
}
