/** All queries on `key_makers`. Rows only gain information, so that a thief cannot cover tracks. */
import { sql } from 'kysely'
import type { Selectable, SqlBool } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { preparedInTransaction } from '../../database/prepared.ts'
import type { RowParameters } from '../../database/prepared.ts'
import type { KeyMakersTable } from '../../database/tables/key-tables.ts'
import { DAY_MS } from '../../lib/clock.ts'

export type KeyMaker = Selectable<KeyMakersTable>

/** More rows than an account within its bounds has. */
export const MAX_MAKERS = 3000

/** Who did what to which key, whatever the day. */
export type NewMaker = Pick<KeyMaker, 'user_id' | 'key_id' | 'how' | 'maker_key_id' | 'sign_in_id'>

/** Records an action that happened between these times: one row per day. The caller holds the user's lock. */
export async function recordMaker(trx: Transaction, maker: NewMaker, fromMs: number, untilMs = fromMs): Promise<void> {
  const { user_id, key_id, how, maker_key_id, sign_in_id } = maker
  const id = [key_id, how, maker_key_id ?? sign_in_id ?? '', Math.floor(fromMs / DAY_MS)].join(' ')
  await upsertMaker(trx, { id, user_id, key_id, how, maker_key_id, sign_in_id, at_ms: fromMs, last_at_ms: untilMs })
}

const upsertMaker = preparedInTransaction((query: QueryBuilder, maker: RowParameters<KeyMaker>) =>
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

/** All rows of the user, oldest first. @param page a page of them, after a row */
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

/** All rows of an account within its bounds. One row more than `MAX_MAKERS` shows that it is not. */
export function findMakersUpToBound(db: Queries, userId: string): Promise<KeyMaker[]> {
  return findMakers(db, userId, { after: undefined, limit: MAX_MAKERS + 1 })
}

/**
 * Rows of the user whose maker is a key, without those of sign-ins, of which an account can have more than the bounds allow.
 * @param limit absent: all, for an account that was just brought within its bounds
 */
export function findMakersThatAreKeys(db: Queries, userId: string, limit?: number): Promise<KeyMaker[]> {
  const actions = db.query
    .selectFrom('key_makers')
    .selectAll()
    .where('user_id', '=', userId)
    .where('maker_key_id', 'is not', null)
  return (limit === undefined ? actions : actions.limit(limit)).execute()
}

/** Counts the user's rows, up to `limit`. */
export async function countMakers(db: Queries, userId: string, limit: number): Promise<number> {
  const { count } = await db.query
    .with('some_makers', (some) =>
      some.selectFrom('key_makers').select('id').where('user_id', '=', userId).limit(limit),
    )
    .selectFrom('some_makers')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Up to `limit` rows about these keys. */
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

/** Up to `limit` rows whose maker is one of these keys. */
export function findKeysMadeBy(
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

/**
 * Deletes the `kept` rows of deleted keys without open payment links: a row makes those payable that the key created
 * before the claim. The caller holds the user's lock.
 */
export async function deleteUnneededKept(trx: Transaction, keyIds: readonly string[]): Promise<void> {
  if (keyIds.length === 0) return
  await trx.query
    .deleteFrom('key_makers')
    .where('key_id', 'in', keyIds)
    .where('how', '=', 'kept')
    .where(sql<SqlBool>`not exists (select 1 from api_keys where api_keys.id = key_makers.key_id)`)
    .where(
      sql<SqlBool>`not exists (select 1 from payment_links where api_key_id = key_makers.key_id and deactivated_at_ms is null)`,
    )
    .execute()
}

/** The caller holds the user's lock. */
export async function deleteMakers(trx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await trx.query.deleteFrom('key_makers').where('id', 'in', ids).execute()
}
