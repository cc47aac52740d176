/** Copies every row of an embedded database into an empty PostgreSQL database, or none. */
import { DatabaseSync } from 'node:sqlite'
import { systemClock } from '../lib/clock.ts'
import type { Database, Transaction } from '../database/database.ts'
import type { Tables } from '../database/tables/tables.ts'
import { MOVED, refuseMoved } from '../database/moved.ts'
import { refuseUnfitFiles } from '../database/sqlite/log/orphaned-log.ts'
import { compareSchema, migrate, NewerSchemaError } from '../database/migrate.ts'

/** Every table, referenced tables first. */
export const copiedTables = Object.keys({
  users: true,
  api_keys: true,
  key_amounts: true,
  key_daily_uses: true,
  key_makers: true,
  revoked_keys: true,
  magic_links: true,
  queued_mails: true,
  spelled_mailboxes: true,
  mail_buttons: true,
  mail_pauses: true,
  security_events: true,
  sign_ins: true,
  identities: true,
  spent_credentials: true,
  payment_links: true,
  exchange_rates: true,
  idempotency_keys: true,
  rate_limit_windows: true,
  rate_limit_buckets: true,
  account_changes: true,
  account_change_counter: true,
  address_changes: true,
  authorization_requests: true,
} satisfies Record<keyof Tables, true>) as (keyof Tables)[]

/** A database cannot be copied from, or to; neither was changed. The message says why. */
export class CopyRefusedError extends Error {
  readonly which: 'source' | 'target'

  constructor(which: 'source' | 'target', why: string) {
    super(why)
    this.name = 'CopyRefusedError'
    this.which = which
  }
}

/** Rows per statement: even the widest table stays far below PostgreSQL's 65 535 values. */
const ROWS_AT_ONCE = 500
/** Timeout for a source that another process has locked. */
const BUSY_TIMEOUT_MS = 2000

/**
 * Opens an embedded database exclusively: it fails as busy while another process has it open, and no other process can
 * open it until it is closed. So the copy contains every acknowledged write.
 * @param path an existing file
 * @param evenThoughMoved whether it may have been copied before
 * @throws {CopyRefusedError} when its schema is not this version's; {MovedDatabaseError}; {OperatorError} when it must not
 * be opened; the platform's error when it cannot be read
 */
export function openSource(path: string, evenThoughMoved: boolean): DatabaseSync {
  refuseUnfitFiles(path)
  const source = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  try {
    // Exclusive only if the mode is set before the file is first read.
    source.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON; BEGIN IMMEDIATE',
    )
    const tables = source.prepare("select name from sqlite_schema where type = 'table'").all()
    if (!tables.some(({ name }) => name === 'kysely_migration')) {
      throw new CopyRefusedError('source', 'it is not a database of this service')
    }
    const applied = source.prepare('select name from kysely_migration').all()
    const { missing, unknown, isMoved } = compareSchema(applied.map(({ name }) => String(name)))
    if (unknown.length > 0) throw new NewerSchemaError(unknown)
    refuseMoved(isMoved, evenThoughMoved)
    if (missing.length > 0) {
      throw new CopyRefusedError('source', `it lacks ${missing.join(', ')}: run \`paylink-auth migrate\` on it first`)
    }
    return source
  } catch (error) {
    source.close()
    throw error
  }
}

export function countSource(source: DatabaseSync): number {
  return copiedTables.reduce((sum, table) => sum + countIn(source, table), 0)
}

function countIn(source: DatabaseSync, table: keyof Tables): number {
  return Number(source.prepare(`select count(*) as count from ${table}`).get()?.['count'])
}

/**
 * Creates the schema in the target and copies all rows, in one transaction: others see nothing before the commit, and a
 * failure leaves the target unchanged. At most a few hundred rows are in memory. The source is marked as moved just before
 * the commit: a database that is served although its rows are elsewhere would accept what is revoked there.
 * @param source of `openSource`
 * @param onRows called for every few hundred rows
 * @returns rows by table, equal in the source and the target
 * @throws {CopyRefusedError} when the target has rows already, or another count than the source at the end
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
    markAsMoved(source)
    return counts
  })
}

/** Stays exclusively locked until it is closed. */
function markAsMoved(source: DatabaseSync): void {
  source
    .prepare('insert into kysely_migration (name, timestamp) values (?, ?) on conflict (name) do nothing')
    .run(MOVED, new Date(systemClock.now()).toISOString())
  if (source.isTransaction) source.exec('COMMIT')
}

/** Whether the mark is on disk: then the target may have the rows, whatever became of the commit. */
export function isMarked(source: DatabaseSync): boolean {
  return (
    !source.isTransaction && source.prepare('select 1 from kysely_migration where name = ?').get(MOVED) !== undefined
  )
}

// Checked before the schema is migrated: a database in use must not be touched.
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
