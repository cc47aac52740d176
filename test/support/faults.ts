/** A database that fails in the middle of a write, for tests that nothing is half done or wrongly acknowledged. */
import { sql } from 'kysely'
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
