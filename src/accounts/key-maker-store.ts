/** The key_makers table: every query on it. Rows are added and never changed, so that nothing covers a thief's tracks. */
import { sql } from 'kysely'
import type { Selectable, SqlBool } from 'kysely'
import type { Db, DbTransaction, KeyMakersTable } from '../db/db.ts'

/** Who made, rotated or kept a key. */
export type KeyMaker = Selectable<KeyMakersTable>

/** Adds a row, in the transaction of what it records. */
export async function insertMaker(trx: DbTransaction, maker: KeyMaker): Promise<void> {
  await trx.insertInto('key_makers').values(maker).execute()
}

/** Everything that was done to the user's keys, oldest first. @param page a part of it, from behind one row */
export function findMakers(db: Db, userId: string, page?: Readonly<{ after: KeyMaker | undefined; limit: number }>): Promise<KeyMaker[]> {
  const all = db.selectFrom('key_makers').selectAll().where('user_id', '=', userId).orderBy('at_ms').orderBy('id')
  const makers = page ? all.limit(page.limit) : all
  if (page?.after === undefined) return makers.execute()
  return makers.where(sql<SqlBool>`(at_ms, id) > (${page.after.at_ms}, ${page.after.id})`).execute()
}
