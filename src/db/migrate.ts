/** Brings a database to this version's schema: up only, each migration whole or not at all. */
import { Migrator } from 'kysely/migration'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Db } from './db.ts'
import * as accounts from './migrations/0001-accounts.ts'
import * as eventsAndNotMe from './migrations/0002-events-and-not-me.ts'
import * as google from './migrations/0003-google.ts'

const migrations: Record<string, Migration> = {
  '0001-accounts': accounts,
  '0002-events-and-not-me': eventsAndNotMe,
  '0003-google': google,
}

/** The database was written by a newer version of the service; serving from it could lose data. */
export class NewerSchemaError extends Error {
  constructor(unknown: readonly string[]) {
    super(`the database has migrations this version does not know: ${unknown.join(', ')}`)
    this.name = 'NewerSchemaError'
  }
}

/**
 * Applies the migrations that are missing.
 * @returns the names of those it applied, in order
 * @throws {NewerSchemaError} and leaves the database as it is when a newer version has migrated it
 */
export async function migrate(db: Db): Promise<string[]> {
  await refuseNewerSchema(db)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return results.map((result) => result.migrationName)
}

async function refuseNewerSchema(db: Db): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return
  const applied = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  const unknown = applied.map((row) => row.name).filter((name) => !(name in migrations))
  if (unknown.length > 0) throw new NewerSchemaError(unknown)
}
