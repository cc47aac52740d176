/** The key_makers table: every query on it. Rows say more with time, never less, so that nothing covers a thief's tracks. */
import { sql } from 'kysely'
import type { Selectable, SqlBool } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { preparedWrite } from '../../database/prepared.ts'
import type { RowParameters } from '../../database/prepared.ts'
import type { KeyMakersTable } from '../../database/tables/tables.ts'

/** Who made, rotated or kept a key. */
export type KeyMaker = Selectable<KeyMakersTable>

/** More rows than an account within its bounds has. */
export const MOST_MAKERS = 3000

/** What one row is about, however often it was done. */
export type Deed = Pick<KeyMaker, 'user_id' | 'key_id' | 'how' | 'maker_key_id' | 'sign_in_id'>

const DAY_MS = 24 * 3600 * 1000

/** Writes that it was done, between these times. Of a day there is one row. The caller holds the user's lock. */
export async function recordDeed(trx: Transaction, deed: Deed, fromMs: number, untilMs = fromMs): Promise<void> {
  const { user_id, key_id, how, maker_key_id, sign_in_id } = deed
  const id = [key_id, how, maker_key_id ?? sign_in_id ?? '', Math.floor(fromMs / DAY_MS)].join(' ')
  await upsertDeed(trx, { id, user_id, key_id, how, maker_key_id, sign_in_id, at_ms: fromMs, last_at_ms: untilMs })
}

const upsertDeed = preparedWrite((query: QueryBuilder, maker: RowParameters<KeyMaker>) =>
  query
    .insertInto('key_makers')
    .values(maker)
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        at_ms: sql<number>`case when excluded.at_ms < key_makers.at_ms then excluded.at_ms else key_makers.at_ms end`,
        last_at_ms: sql<number>`case when excluded.last_at_ms > key_makers.last_at_ms then excluded.last_at_ms else key_makers.last_at_ms end`,
      }),
    ),
)

/** Everything that was done to the user's keys, oldest first. @param page a part of it, from behind one row */
export function findMakers(
  db: Queries,
  userId: string,
  page?: Readonly<{ after: KeyMaker | undefined; limit: number }>,
): Promise<KeyMaker[]> {
  const all = db.query.selectFrom('key_makers').selectAll().where('user_id', '=', userId).orderBy('at_ms').orderBy('id')
  const makers = page ? all.limit(page.limit) : all
  if (page?.after === undefined) return makers.execute()
  return makers.where(sql<SqlBool>`(at_ms, id) > (${page.after.at_ms}, ${page.after.id})`).execute()
}

/** All of them, of an account within its bounds; of another one row more than that, so that it shows. */
export function findMakersWithinBounds(db: Queries, userId: string): Promise<KeyMaker[]> {
  return findMakers(db, userId, { after: undefined, limit: MOST_MAKERS + 1 })
}

/**
 * What keys of the user did, whatever the sign-ins did besides: of these an account can have more than it is shortened to.
 * @param limit absent: all, which only an account that was just shortened has few of
 */
export function findDeedsByKeys(db: Queries, userId: string, limit?: number): Promise<KeyMaker[]> {
  const deeds = db.query
    .selectFrom('key_makers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('maker_key_id', 'is not', null)
  return (limit === undefined ? deeds : deeds.limit(limit)).execute()
}

/** How many rows of the user there are, counted up to `most`. */
export async function countMakers(db: Queries, userId: string, most: number): Promise<number> {
  const { count } = await db.query
    .with('some_makers', (some) => some.selectFrom('key_makers').select('id').where('user_id', '=', userId).limit(most))
    .selectFrom('some_makers')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Some of the rows that say this of these keys. */
export function findMakersOfKeys(
  db: Queries,
  keyIds: readonly string[],
  how: readonly KeyMaker['how'][],
  limit: number,
): Promise<KeyMaker[]> {
  return db.query
    .selectFrom('key_makers')
    .selectAll()
    .where('key_id', 'in', keyIds)
    .where('how', 'in', how)
    .limit(limit)
    .execute()
}

/** Some of the rows about what these keys of the user did. */
export function findDeedsOfKeys(
  db: Queries,
  userId: string,
  keyIds: readonly string[],
  limit: number,
): Promise<KeyMaker[]> {
  return db.query
    .selectFrom('key_makers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('maker_key_id', 'in', keyIds)
    .limit(limit)
    .execute()
}

/** Deletes rows. The caller holds the user's lock. */
export async function deleteMakers(trx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.query.deleteFrom('key_makers').where('id', 'in', ids).execute()
}
