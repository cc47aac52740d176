/** A database that fails in the middle of a write, for tests that nothing is half done or wrongly acknowledged. */
import { sql } from 'kysely'
import { inTransaction } from '../../src/db/db.ts'
import type { Db, Tables } from '../../src/db/db.ts'

/** While `act` runs, the database takes no write, as on a disk that has become read-only. */
export async function withReadOnlyStorage<T>(db: Db, act: () => Promise<T>): Promise<T> {
  await sql`pragma query_only = on`.execute(db)
  try {
    return await act()
  } finally {
    await sql`pragma query_only = off`.execute(db)
  }
}

/** While `act` runs, every change of this column fails, after whatever the transaction did before it. */
export async function withFailingUpdates<T>(
  db: Db,
  [table, column]: readonly [keyof Tables, string],
  act: () => Promise<T>,
): Promise<T> {
  const change = sql`new.${sql.ref(column)} is not old.${sql.ref(column)}`
  await sql`
    create trigger failing before update on ${sql.table(table)} when ${change}
    begin select raise(abort, 'the disk is on fire'); end
  `.execute(db)
  try {
    return await act()
  } finally {
    await sql`drop trigger failing`.execute(db)
  }
}

/**
 * While `act` runs, the n-th row that a transaction writes fails, whatever its table: 1 is the first.
 * Earlier ones are written, and have to be undone by whoever asked for them.
 */
export async function withFailingWrite<T>(db: Db, n: number, act: () => Promise<T>): Promise<T> {
  const tables = (await db.introspection.getTables()).map(({ name }) => name)
  const triggers = tables.flatMap((table) =>
    ['insert', 'update', 'delete'].map((change) => ({ name: `fail_${table}_${change}`, change, table })),
  )
  await inTransaction(db, async (trx) => {
    await sql`create table write_count (row integer)`.execute(trx)
    for (const { name, change, table } of triggers) {
      await sql`
        create trigger ${sql.ref(name)} before ${sql.raw(change)} on ${sql.table(table)} begin
          insert into write_count values (1);
          select raise(abort, 'the disk is on fire') where (select count(*) from write_count) = ${sql.lit(n)};
        end
      `.execute(trx)
    }
  })
  try {
    return await act()
  } finally {
    await inTransaction(db, async (trx) => {
      for (const { name } of triggers) await sql`drop trigger ${sql.ref(name)}`.execute(trx)
      await sql`drop table write_count`.execute(trx)
    })
  }
}

/** While `act` runs, every transaction that writes to this table fails at its very end: its COMMIT does. */
export async function withFailingCommit<T>(db: Db, table: keyof Tables, act: () => Promise<T>): Promise<T> {
  await sql`create table nobody (id integer primary key)`.execute(db)
  await sql`
    create table broken (id integer references nobody (id) deferrable initially deferred)
  `.execute(db)
  await sql`
    create trigger breaking after update on ${sql.table(table)} begin insert into broken values (1); end
  `.execute(db)
  try {
    return await act()
  } finally {
    await sql`drop trigger breaking`.execute(db)
    await sql`drop table broken`.execute(db)
    await sql`drop table nobody`.execute(db)
  }
}
