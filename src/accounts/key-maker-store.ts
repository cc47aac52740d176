/** The key_makers table: every query on it. Rows are added and never changed, so that nothing covers a thief's tracks. */
import type { Selectable } from 'kysely'
import type { Db, DbTransaction, KeyMakersTable } from '../db/db.ts'

/** Who made, rotated or kept a key. */
export type KeyMaker = Selectable<KeyMakersTable>

/** Adds a row, in the transaction of what it records. */
export async function insertMaker(trx: DbTransaction, maker: KeyMaker): Promise<void> {
  await trx.insertInto('key_makers').values(maker).execute()
}

/** Everything that was done to the user's keys, oldest first. */
export function findMakers(db: Db, userId: string): Promise<KeyMaker[]> {
  return db
    .selectFrom('key_makers')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('at_ms')
    .orderBy('id')
    .execute()
}
