/** Applies all missing migrations or none; upwards only. */
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { elapsedMs, sleep } from '../lib/clock.ts'
import { EXIT_FAILED, OperatorError } from '../lib/process/operator-error.ts'
import type { Database, Queries, Transaction } from './database.ts'
import { MOVED } from './moved.ts'
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
import * as retention from './migrations/0013-retention.ts'
import * as accountChanges from './migrations/0014-account-changes.ts'
import * as browsers from './migrations/0015-browsers.ts'
import * as eventKinds from './migrations/0016-event-kinds.ts'
import * as signIns from './migrations/0017-strict-sign-ins.ts'
import * as addressChanges from './migrations/0018-address-changes.ts'
import * as keyRestrictions from './migrations/0019-strict-key-restrictions.ts'
import * as keyDailyUses from './migrations/0020-key-daily-uses.ts'
import * as appGrants from './migrations/0021-strict-app-grants.ts'
import * as keyLastNetwork from './migrations/0022-key-last-network.ts'
import * as narrowIndexes from './migrations/0023-narrow-indexes.ts'

/** All migrations in order; each only adds (CONTRIBUTING.md, Migrations). */
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
  '0013-retention': retention,
  '0014-account-changes': accountChanges,
  '0015-browsers': browsers,
  '0016-event-kinds': eventKinds,
  '0017-strict-sign-ins': signIns,
  '0018-address-changes': addressChanges,
  '0019-strict-key-restrictions': keyRestrictions,
  '0020-key-daily-uses': keyDailyUses,
  '0021-strict-app-grants': appGrants,
  '0022-key-last-network': keyLastNetwork,
  '0023-narrow-indexes': narrowIndexes,
}

/**
 * A migration after which older versions must not start: it removes what the previous version does not use (`drop`), or
 * adds a reason to refuse tokens that older versions ignore (`strict`).
 */
export const BREAKS_OLDER = /^\d{4}-(drop|strict)-/

/** A newer version has written the database; serving from it could lose data. */
export class NewerSchemaError extends OperatorError {
  constructor(unknown: readonly string[]) {
    const message = `the database has migrations that this version does not know: ${unknown.join(', ')}`
    super(message, EXIT_FAILED, { lines: [`This version is too old for the data: ${message}.`] })
    this.name = 'NewerSchemaError'
  }
}

/** Other transactions used the tables for too long; the schema is unchanged. */
export class SchemaInUseError extends OperatorError {
  constructor(triedForMs: number, cause: unknown) {
    const seconds = Math.round(triedForMs / 1000)
    const message = `other transactions kept the tables locked at every attempt for ${seconds} s`
    super(message, EXIT_FAILED, {
      cause,
      lines: [
        `The schema could not be changed: ${message}. Look for long transactions in pg_stat_activity, then start again.`,
      ],
    })
    this.name = 'SchemaInUseError'
  }
}

/**
 * Of concurrent processes, one migrates and the others wait. On PostgreSQL a change waits for a table only briefly and
 * is retried, because all readers of the table queue behind a waiting change.
 * @param db with a transaction, the migrations are part of it
 * @param giveUpAfterMs for tests: total time for retries on tables in use
 * @returns the names of the applied migrations, in order
 * @throws {NewerSchemaError} when a newer version has done more than add; the database is unchanged
 * @throws {SchemaInUseError} the database is unchanged
 */
export async function migrate(db: Database | Transaction, giveUpAfterMs: number = GIVE_UP_AFTER_MS): Promise<string[]> {
  if (db.isTransaction) return applyMissing(db)
  const beganMs = elapsedMs()
  for (let attempt = 1; ; attempt += 1) {
    try {
      // One transaction: behind pgbouncer, a session lock would be lost.
      return await db.transaction(applyMissing)
    } catch (error) {
      const { code = '' } = (error ?? {}) as { code?: string }
      if (CREATED_CONCURRENTLY.has(code) && attempt < MAX_ATTEMPTS) continue
      if (!IN_USE.has(code)) throw error
      const triedForMs = elapsedMs() - beganMs
      if (triedForMs > giveUpAfterMs) throw new SchemaInUseError(triedForMs, error)
      await sleep(RETRY_AFTER_MS, new AbortController().signal)
    }
  }
}

const GIVE_UP_AFTER_MS = 60_000
/** Pause between attempts, in which other transactions get the tables. */
const RETRY_AFTER_MS = 1000
const MAX_ATTEMPTS = 3
// On an empty PostgreSQL database there is no row to lock. Of processes that create the first table at once, all but
// one fail with unique violation, duplicate table or a failed transaction.
const CREATED_CONCURRENTLY = new Set(['23505', '42P07', '25P02'])
// Lock timeout, serialization failure, deadlock.
const IN_USE = new Set(['55P03', '40001', '40P01'])

async function applyMissing(db: Transaction): Promise<string[]> {
  const applied = await appliedMigrations(db)
  const { missing, unknown, isMoved } = compareSchema(applied)
  // During an upgrade a process of the previous version may restart; additions do not harm it.
  const isServable = missing.length === 0 && !unknown.some((name) => BREAKS_OLDER.test(name))
  if (unknown.length > 0 && !isServable) throw new NewerSchemaError(unknown)
  if (unknown.length > 0) return []
  // Kysely ignores a refusal here, and its next statement fails without the cause.
  if (db.dialect === 'postgres' && applied.length === 0) await requireCreatePrivilege(db)
  // Kysely requires every applied migration to exist, in order.
  const known = isMoved ? { ...migrations, [MOVED]: { up: async () => {} } } : migrations
  const schema = await migrationSchema(db)
  const migrator = new Migrator({
    db: db.kysely,
    ...(schema !== undefined && { migrationTableSchema: schema }),
    provider: { getMigrations: async () => known },
    allowUnorderedMigrations: isMoved,
  })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined) throw error
  return results.map((result) => result.migrationName)
}

/**
 * The schema in which the search path finds the migrations, or would create them: not one where another program has
 * tables of the same name.
 * @returns undefined on SQLite, and where the search path has no schema
 */
async function migrationSchema(db: Queries): Promise<string | undefined> {
  if (db.dialect === 'sqlite') return undefined
  const { rows } = await sql<{ schema: string | null }>`
    select coalesce(
      (select nspname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
        where pg_class.oid = to_regclass('kysely_migration')),
      current_schema()) as schema`.execute(db.query)
  return rows[0]?.schema ?? undefined
}

async function requireCreatePrivilege(db: Queries): Promise<void> {
  const { rows } = await sql<{ role: string; schema: string | null; mayCreate: boolean | null; target: string }>`
    select current_user as role, current_schema() as schema,
      has_schema_privilege(current_schema(), 'CREATE') as "mayCreate",
      quote_ident(coalesce(current_schema(), 'public')) || ' TO ' || quote_ident(current_user) as target`.execute(
    db.query,
  )
  const [found] = rows
  if (found === undefined || found.mayCreate) return
  const { role, schema, target } = found
  throw new OperatorError(
    `The role ${role} may not create tables in ${schema === null ? 'any schema of its search_path' : `the schema ${schema}`}. Run in this database, as its owner: GRANT USAGE, CREATE ON SCHEMA ${target}`,
  )
}

/** Migrations of this version that are missing, applied ones that it does not know, and the mark of a copied database. */
export function compareSchema(
  applied: readonly string[],
): Readonly<{ missing: string[]; unknown: string[]; isMoved: boolean }> {
  return {
    missing: Object.keys(migrations).filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => name !== MOVED && !(name in migrations)),
    isMoved: applied.includes(MOVED),
  }
}

/** Changes nothing. */
export async function schemaOf(db: Queries): Promise<ReturnType<typeof compareSchema>> {
  return compareSchema(await appliedMigrations(db))
}

async function appliedMigrations(db: Queries): Promise<string[]> {
  const tables = await db.kysely.introspection.getTables({ withInternalKyselyTables: true })
  const schema = await migrationSchema(db)
  if (!tables.some((table) => table.name === 'kysely_migration' && table.schema === schema)) return []
  const applied = await (db.kysely as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  return applied.map((row) => row.name)
}
