/** Brings a database to this version's schema: up only, all that is missing or nothing. */
import { Migrator } from 'kysely/migration'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { elapsedMs, sleep } from '../lib/clock.ts'
import { EXIT_FAILED, OperatorError } from '../lib/operator-error.ts'
import type { Database, Queries, Transaction } from './database.ts'
import * as accounts from './migrations/0001-accounts.ts'
import * as eventsAndNotMe from './migrations/0002-events-and-not-me.ts'
import * as google from './migrations/0003-google.ts'
import * as growth from './migrations/0004-growth.ts'
import * as rateLimits from './migrations/0005-rate-limits.ts'
import * as paymentLinks from './migrations/0006-payment-links.ts'
import * as awaitingKeys from './migrations/0007-awaiting-keys.ts'
import * as disabledUsers from './migrations/0008-strict-disabled-users.ts'
import * as boundedAccounts from './migrations/0009-bounded-accounts.ts'
import * as mailTurns from './migrations/0010-mail-turns.ts'
import * as keyFamilies from './migrations/0011-key-families.ts'
import * as boundedKeys from './migrations/0012-bounded-keys.ts'

/** All there are, by name and in order; each only adds (CONTRIBUTING.md, Migrations). */
export const migrations: Readonly<Record<string, Migration>> = {
  '0001-accounts': accounts,
  '0002-events-and-not-me': eventsAndNotMe,
  '0003-google': google,
  '0004-growth': growth,
  '0005-rate-limits': rateLimits,
  '0006-payment-links': paymentLinks,
  '0007-awaiting-keys': awaitingKeys,
  '0008-strict-disabled-users': disabledUsers,
  '0009-bounded-accounts': boundedAccounts,
  '0010-mail-turns': mailTurns,
  '0011-key-families': keyFamilies,
  '0012-bounded-keys': boundedKeys,
}

/**
 * A migration after which older versions must not start: it takes away what the version before does not use
 * (`drop`), or adds what can refuse a token and older ones do not look at (`strict`). All others only add.
 */
export const ENDS_OLDER = /^\d{4}-(drop|strict)-/

/** The database was written by a newer version of the service, and serving from it could lose data. */
export class NewerSchemaError extends OperatorError {
  constructor(unknown: readonly string[]) {
    const message = `the database has migrations this version does not know: ${unknown.join(', ')}`
    super(message, EXIT_FAILED, { lines: [`This version is too old for the data: ${message}.`] })
    this.name = 'NewerSchemaError'
  }
}

/** The schema is as it was: somebody else used the tables for too long. */
export class SchemaInUseError extends OperatorError {
  constructor(triedForMs: number, cause: unknown) {
    const seconds = Math.round(triedForMs / 1000)
    const message = `tables were in use by others whenever it was tried for ${seconds} s, by long transactions for example`
    super(message, EXIT_FAILED, {
      cause,
      lines: [`The schema could not be changed: ${message}. Look into pg_stat_activity, and start again.`],
    })
    this.name = 'SchemaInUseError'
  }
}

/**
 * Applies the migrations that are missing. Of processes that do so at once, one does it and the others wait for it.
 * On a server a change waits for a table only shortly, and is tried again and again: all who read the table wait
 * behind a change that waits.
 * @param db a transaction too: then they are undone with it
 * @param giveUpAfterMs for how long it is tried to get at tables that are in use, in milliseconds
 * @returns the names of those it applied, in order
 * @throws {NewerSchemaError} and leaves the database as it is when a newer version has done more than add to it
 * @throws {SchemaInUseError} and leaves it as it is
 */
export async function migrate(
  db: Database | Transaction,
  giveUpAfterMs: number = GIVEN_UP_AFTER_MS,
): Promise<string[]> {
  if (db.isTransaction) return applyMissing(db)
  const beganMs = elapsedMs()
  for (let attempt = 1; ; attempt += 1) {
    try {
      // One transaction: a lock that a connection holds without one is lost behind pgbouncer.
      return await db.transaction(applyMissing)
    } catch (error) {
      const { code = '' } = (error ?? {}) as { code?: string }
      if (MADE_BY_ANOTHER.has(code) && attempt < MOST_ATTEMPTS) continue
      if (!IN_USE.has(code)) throw error
      const triedForMs = elapsedMs() - beganMs
      if (triedForMs > giveUpAfterMs) throw new SchemaInUseError(triedForMs, error)
      await sleep(TRIED_AGAIN_AFTER_MS, new AbortController().signal)
    }
  }
}

const GIVEN_UP_AFTER_MS = 60_000
/** In which everybody else gets at the tables, in milliseconds. */
const TRIED_AGAIN_AFTER_MS = 1000
const MOST_ATTEMPTS = 3
// On a new PostgreSQL database there is nothing yet to wait for each other at: of processes that make the
// first table at once, all but one fail, by unique violation, duplicate table, or what follows from either.
const MADE_BY_ANOTHER = new Set(['23505', '42P07', '25P02'])
// A lock that was not to be had in time, and what comes of several who want several.
const IN_USE = new Set(['55P03', '40001', '40P01'])

async function applyMissing(db: Transaction): Promise<string[]> {
  const { missing, unknown } = compareSchema(await appliedMigrations(db))
  // During an upgrade a process of the version before may have to start again: what was only added is no harm.
  const isServable = missing.length === 0 && !unknown.some((name) => ENDS_OLDER.test(name))
  if (unknown.length > 0 && !isServable) throw new NewerSchemaError(unknown)
  if (unknown.length > 0) return []
  const migrator = new Migrator({ db: db.kysely, provider: { getMigrations: async () => migrations } })
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

/** How the database's schema compares with this version's; changes nothing. */
export async function schemaOf(db: Queries): Promise<ReturnType<typeof compareSchema>> {
  return compareSchema(await appliedMigrations(db))
}

async function appliedMigrations(db: Queries): Promise<string[]> {
  const tables = await db.kysely.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return []
  const applied = await (db.kysely as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  return applied.map((row) => row.name)
}
