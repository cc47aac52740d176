/** A database that fails in the middle of a write, for tests that nothing is half done or wrongly acknowledged. */
import { sql } from 'kysely'
import type { Database } from '../../../src/database/database.ts'
import type { Tables } from '../../../src/database/tables/tables.ts'
import { administer } from './database.ts'
import { isPostgres, withPlanted } from './triggers.ts'

/** While `act` runs, the database takes no write, as on a disk that has become read-only. */
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
  const whose = `from pg_stat_activity where datname = '${name}'`
  // Connections that are there go on as they began: they end, as with a failover.
  await administer(
    `alter database ${name} set default_transaction_read_only = ${isReadOnly ? 'on' : 'off'}`,
    `select pg_terminate_backend(pid, 10000) ${whose}`,
  )
  if (!isReadOnly) await untilItWrites(db)
}

const names = new WeakMap<Database, string>()

// Asked for once: while it is read-only, the service may refuse to be connected at all.
async function nameOf(db: Database): Promise<string> {
  const known = names.get(db)
  if (known !== undefined) return known
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db.query)
  const name = rows[0]?.name ?? ''
  names.set(db, name)
  return name
}

// The pool finds out one by one which of its connections are gone.
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

/** While `act` runs, every change of this column fails, after whatever the transaction did before it. */
export function withFailingUpdates<T>(
  db: Database,
  [table, column]: readonly [keyof Tables, string],
  act: () => Promise<T>,
): Promise<T> {
  const when = `new.${column} is distinct from old.${column}`
  return withPlanted(db, [{ on: 'before update', table, when, fail: 'the disk is on fire' }], act)
}

/**
 * While `act` runs, the n-th row that a transaction writes fails, whatever its table: 1 is the first.
 * Earlier ones are written, and have to be undone by whoever asked for them.
 */
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

/** While `act` runs, every transaction that writes to this table fails at its very end: its COMMIT does. */
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
