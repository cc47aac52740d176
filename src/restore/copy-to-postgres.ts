/** Copies every row of an embedded database into an empty PostgreSQL one: all of them, or none. */
import { DatabaseSync } from 'node:sqlite'
import type { Database, Transaction } from '../database/database.ts'
import type { Tables } from '../database/tables/tables.ts'
import { compareSchema, migrate, NewerSchemaError } from '../database/migrate.ts'

/** The tables that are copied: every one there is, one that is referred to before those that refer to it. */
export const copiedTables = Object.keys({
  users: true,
  api_keys: true,
  key_makers: true,
  magic_links: true,
  queued_mails: true,
  spelled_mailboxes: true,
  mail_buttons: true,
  mail_pauses: true,
  security_events: true,
  identities: true,
  spent_credentials: true,
  payment_links: true,
  exchange_rates: true,
  idempotency_keys: true,
  rate_limit_windows: true,
  rate_limit_buckets: true,
} satisfies Record<keyof Tables, true>) as (keyof Tables)[]

/** One of the databases cannot be copied from, or to; neither was changed. The message says why. */
export class CopyRefusedError extends Error {
  readonly which: 'source' | 'target'

  constructor(which: 'source' | 'target', why: string) {
    super(why)
    this.name = 'CopyRefusedError'
    this.which = which
  }
}

/** How many rows go in one statement: with the widest table far below the 65 535 values PostgreSQL takes. */
const ROWS_AT_ONCE = 500
/** How long a source that somebody else holds is waited for, in milliseconds. */
const HELD_FOR_MS = 2000

/**
 * Opens an embedded database for nobody but this process: where anybody else has it open it fails as
 * busy, and until it is closed nobody can open it, so what is copied is all that was ever acknowledged.
 * @param path an existing file
 * @throws {CopyRefusedError} when its schema is not this version's; the platform's error when it cannot be read
 */
export function openSource(path: string): DatabaseSync {
  const source = new DatabaseSync(path, { timeout: HELD_FOR_MS })
  try {
    // The mode must be set before the file is first read: only then is it never shared.
    source.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF; BEGIN IMMEDIATE')
    const tables = source.prepare("select name from sqlite_schema where type = 'table'").all()
    if (!tables.some(({ name }) => name === 'kysely_migration')) {
      throw new CopyRefusedError('source', 'it is not a database of this service')
    }
    const applied = source.prepare('select name from kysely_migration').all()
    const { missing, unknown } = compareSchema(applied.map(({ name }) => String(name)))
    if (unknown.length > 0) throw new NewerSchemaError(unknown)
    if (missing.length > 0) {
      throw new CopyRefusedError('source', `it lacks ${missing.join(', ')}: run \`paylink-auth migrate\` on it first`)
    }
    return source
  } catch (error) {
    source.close()
    throw error
  }
}

/** How many rows there are in all tables together. */
export function countSource(source: DatabaseSync): number {
  return copiedTables.reduce((sum, table) => sum + countIn(source, table), 0)
}

function countIn(source: DatabaseSync, table: keyof Tables): number {
  return Number(source.prepare(`select count(*) as count from ${table}`).get()?.['count'])
}

/**
 * Makes the schema in the target and copies all rows, in one transaction: until its end nobody sees any
 * of it, and if it fails the target is as it was. At no time more than a few hundred rows are in memory.
 * @param source of `openSource`
 * @param onRows is told of every few hundred rows
 * @returns how many rows each table has, counted in the target and in the source
 * @throws {CopyRefusedError} when the target has rows already, or in the end another count than the source
 */
export function copyDatabase(
  source: DatabaseSync,
  target: Database,
  onRows: (count: number) => void,
): Promise<Map<keyof Tables, number>> {
  return target.transaction(async (trx) => {
    await refuseRows(trx)
    await migrate(trx)
    const counts = new Map<keyof Tables, number>()
    for (const table of copiedTables) {
      await copyTable(source, trx, table, onRows)
      const expected = countIn(source, table)
      const { count } = await trx.query
        .selectFrom(table)
        .select((row) => row.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      if (count !== expected)
        throw new CopyRefusedError('target', `${table} has ${count} rows there and ${expected} in the source`)
      counts.set(table, expected)
    }
    return counts
  })
}

// Looked for before the schema is brought up to date: a database that is in use is not to be touched.
async function refuseRows(trx: Transaction): Promise<void> {
  const ours: readonly string[] = copiedTables
  for (const { name, schema } of await trx.kysely.introspection.getTables()) {
    if (!ours.includes(name)) continue
    const there = schema === undefined ? trx.kysely : trx.kysely.withSchema(schema)
    const row = await there
      .selectFrom(name as keyof Tables)
      .selectAll()
      .limit(1)
      .executeTakeFirst()
    if (row !== undefined) throw new CopyRefusedError('target', `it is not empty, there are rows in ${name}`)
  }
}

async function copyTable(
  source: DatabaseSync,
  trx: Transaction,
  table: keyof Tables,
  onRows: (count: number) => void,
): Promise<void> {
  let rows: unknown[] = []
  const store = async () => {
    await trx.query.insertInto(table).values(rows).execute()
    onRows(rows.length)
    rows = []
  }
  for (const row of source.prepare(`select * from ${table}`).iterate()) {
    rows.push(row)
    if (rows.length === ROWS_AT_ONCE) await store()
  }
  if (rows.length > 0) await store()
}
