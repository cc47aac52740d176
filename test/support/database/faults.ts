/** Databases that fail in the middle of a write, for tests of atomicity. */
import { sql } from 'kysely'
import type { Database } from '../../../src/database/database.ts'
import type { Tables } from '../../../src/database/tables/tables.ts'
import { administer } from './database.ts'
import { isPostgres, withPlanted } from './triggers.ts'

/** While `act` runs, the database accepts no write, like a disk that has become read-only. */
export async function withReadOnlyStorage<T>(db: Database, act: () => Promise<T>): Promise<T> {
  await setReadOnly(db, true)
  try {
    return await act()
  } finally {
    await setReadOnly(db, false)
  }
}

async function setReadOnly(db: Database, isReadOnly: boolean): Promise<void> {
  if (!isPostgres(db)) {
    await sql`pragma query_only = ${sql.raw(isReadOnly ? 'on' : 'off')}`.execute(db.query)
    return
  }
  const name = await nameOf(db)
  const fromActivity = `from pg_stat_activity where datname = '${name}'`
  // Open connections keep the mode they started with, so they are closed, as in a failover.
  await administer(
    `alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
    `select pg_terminate_backend(pid, 10000) ${fromActivity}`,
  )
  if (!isReadOnly) await untilItWrites(db)
}

const names = new WeakMap<Database, string>()

// Read before the switch: a read-only database may refuse the service's connections.
async function nameOf(db: Database): Promise<string> {
  const known = names.get(db)
  if (known !== undefined) return known
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db.query)
  const name = rows[0]?.name ?? ''
  names.set(db, name)
  return name
}

// The pool discovers its closed connections one at a time.
async function untilItWrites(db: Database): Promise<void> {
  for (const deadline = performance.now() + 60_000; ;) {
    const writes = Array.from({ length: 20 }, () =>
      sql`create temporary table written (n integer) on commit drop`.execute(db.query),
    )
    const results = await Promise.allSettled(writes)
    const failed = results.find((result) => result.status === 'rejected')
    if (failed === undefined) return
    if (performance.now() > deadline) throw failed.reason
  }
}

/** While `act` runs, every change of this column fails, after the transaction's earlier statements. */
export function withFailingUpdates<T>(
  db: Database,
  [table, column]: readonly [keyof Tables, string],
  act: () => Promise<T>,
): Promise<T> {
  const when = `new.${column} is distinct from old.${column}`
  return withPlanted(db, [{ on: 'before update', table, when, fail: 'the disk is on fire' }], act)
}

/** While `act` runs, the n-th row a transaction writes fails, in any table; 1 is the first. */
export async function withFailingWrite<T>(db: Database, n: number, act: () => Promise<T>): Promise<T> {
  const tables = (await db.kysely.introspection.getTables()).map(({ name }) => name as keyof Tables)
  const triggers = tables.flatMap((table) =>
    ['insert', 'update', 'delete'].map((change) => ({
      on: `before ${change}`,
      table,
      run: 'insert into write_count values (1)',
      fail: 'the disk is on fire',
      failWhen: `(select count(*) from write_count) = ${n}`,
    })),
  )
  await sql`create table write_count (n integer)`.execute(db.query)
  try {
    return await withPlanted(db, triggers, act)
  } finally {
    await sql`drop table write_count`.execute(db.query)
  }
}

/** While `act` runs, the COMMIT of every transaction that writes to this table fails. */
export async function withFailingCommit<T>(db: Database, table: keyof Tables, act: () => Promise<T>): Promise<T> {
  await sql`create table nobody (id integer primary key)`.execute(db.query)
  await sql`
    create table broken (id integer references nobody (id) deferrable initially deferred)
  `.execute(db.query)
  try {
    return await withPlanted(db, [{ on: 'after update', table, run: 'insert into broken values (1)' }], act)
  } finally {
    await sql`drop table broken`.execute(db.query)
    await sql`drop table nobody`.execute(db.query)
  }
}
