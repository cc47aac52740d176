/** Brings a database to this version's schema: up only, all that is missing or nothing. */
import { Migrator } from 'kysely/migration'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { inTransaction } from './db.ts'
import type { Db, DbTransaction } from './db.ts'
import * as accounts from './migrations/0001-accounts.ts'
import * as eventsAndNotMe from './migrations/0002-events-and-not-me.ts'
import * as google from './migrations/0003-google.ts'
import * as growth from './migrations/0004-growth.ts'
import * as rateLimits from './migrations/0005-rate-limits.ts'
import * as paymentLinks from './migrations/0006-payment-links.ts'

/** All there are, by name and in order; each only adds (CONTRIBUTING.md, Migrations). */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-events-and-not-me': eventsAndNotMe,
  '0003-google': google,
  '0004-growth': growth,
  '0005-rate-limits': rateLimits,
  '0006-payment-links': paymentLinks,
}

/** The database was written by a newer version of the service; serving from it could lose data. */
export class NewerSchemaError extends Error {
  constructor(unknown: readonly string[]) {
    super(`the database has migrations this version does not know: ${unknown.join(', ')}`)
    this.name = 'NewerSchemaError'
  }
}

/**
 * Applies the migrations that are missing. Of processes that do so at once, one does it and the others wait for it.
 * @param db a transaction too: then they are undone with it
 * @returns the names of those it applied, in order
 * @throws {NewerSchemaError} and leaves the database as it is when a newer version has migrated it
 */
export async function migrate(db: Db): Promise<string[]> {
  if (db.isTransaction) return applyMissing(db)
  for (let attempt = 1; ; attempt += 1) {
    try {
      // One transaction: a lock that a connection holds without one is lost behind pgbouncer.
      return await inTransaction(db, applyMissing)
    } catch (error) {
      const { code = '' } = (error ?? {}) as { code?: string }
      if (!MADE_BY_ANOTHER.has(code) || attempt === MOST_ATTEMPTS) throw error
    }
  }
}

const MOST_ATTEMPTS = 3
// On a new PostgreSQL database there is nothing yet to wait for each other at: of processes that make the
// first table at once, all but one fail, by unique violation, duplicate table, or what follows from either.
const MADE_BY_ANOTHER = new Set(['23505', '42P07', '25P02'])

async function applyMissing(db: Db | DbTransaction): Promise<string[]> {
  const { unknown } = compareSchema(await appliedMigrations(db))
  if (unknown.length > 0) throw new NewerSchemaError(unknown)
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return results.map((result) => result.migrationName)
}

/** What applied migrations lack of this version's, and which of them it does not know. */
export function compareSchema(applied: readonly string[]): Readonly<{ missing: string[]; unknown: string[] }> {
  return {
    missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !(name in migrations)),
  }
}

async function appliedMigrations(db: Db): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const applied = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  return applied.map((row) => row.name)
}
