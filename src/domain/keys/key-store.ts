/**
 * Queries on `api_keys`; those about the end of keys are in key-end-store.ts, the exchange's in
 * key-exchange-store.ts, with the uses.
 */
import { sql } from 'kysely'
import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { prepared, preparedInTransaction } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { ApiKeysTable } from '../../database/tables/key-tables.ts'
import type { Tables } from '../../database/tables/tables.ts'
import { isRecordId } from '../../database/record-id.ts'

export type ApiKey = Selectable<ApiKeysTable>

export const insertKey = preparedInTransaction((query: QueryBuilder, key: RowParameters<ApiKey>) =>
  query.insertInto('api_keys').values(key),
)

/** A list shows this many revoked and this many expired keys: those that ended last. */
const MAX_ENDED_SHOWN = 100
/** More unspent keys than an account can have, unless it is from before that bound (docs/decisions/0032). */
const MAX_UNSPENT_SHOWN = 1000

/** The user's keys, newest first: all unspent ones, and those that ended last. Without the access of apps. */
export async function findKeysOfUser(db: Queries, userId: string, nowMs: number): Promise<ApiKey[]> {
  const keys = db.query.selectFrom('api_keys').selectAll().where('user_id', '=', userId).where('kind', '=', 'key')
  // One after the other: a key that ends in between is found twice, never missed.
  const found = [
    ...(await keys.where(isUnspent(nowMs)).limit(MAX_UNSPENT_SHOWN).execute()),
    ...(await keys.where(isExpired(nowMs)).orderBy('expires_at_ms', 'desc').limit(MAX_ENDED_SHOWN).execute()),
    ...(await keys
      .where('revoked_at_ms', 'is not', null)
      .orderBy('revoked_at_ms', 'desc')
      .limit(MAX_ENDED_SHOWN)
      .execute()),
  ]
  return [...new Map(found.map((key) => [key.id, key])).values()].toSorted(newestFirst)
}

function newestFirst(one: ApiKey, other: ApiKey): number {
  return other.created_at_ms - one.created_at_ms || (one.id < other.id ? 1 : -1)
}

export async function findKeysById(db: Queries, userId: string, ids: readonly string[]): Promise<ApiKey[]> {
  // PostgreSQL does not allow an empty list.
  if (ids.length === 0) return []
  return db.query.selectFrom('api_keys').selectAll().where('user_id', '=', userId).where('id', 'in', ids).execute()
}

/** The keys of the user whose `creator_id` is one of these. */
export function findKeysCreatedBy(db: Queries, userId: string, ids: readonly string[]): Promise<ApiKey[]> {
  return db.query
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('creator_id', 'in', ids)
    .orderBy('id')
    .execute()
}

const columnsInDescent = [
  'id',
  'creator_id',
  'family_id',
  'restrictions',
  'effective_restrictions',
  'revoked_at_ms',
  'expires_at_ms',
] as const
export type KeyInDescent = Pick<ApiKey, (typeof columnsInDescent)[number]>

/** How the keys of the user descend from each other, and what they may do. */
export function findDescentOfKeys(db: Queries, userId: string): Promise<KeyInDescent[]> {
  return db.query.selectFrom('api_keys').select(columnsInDescent).where('user_id', '=', userId).execute()
}

/** All keys of the user on record, newest first. @param page a page of them, after a key */
export function findAllKeysOfUser(
  db: Queries,
  userId: string,
  page?: Readonly<{ after: ApiKey | undefined; limit: number }>,
): Promise<ApiKey[]> {
  const keys = page ? allKeysOfUser(db, userId).limit(page.limit) : allKeysOfUser(db, userId)
  if (page?.after === undefined) return keys.execute()
  return keys.where(sql<SqlBool>`(created_at_ms, id) < (${page.after.created_at_ms}, ${page.after.id})`).execute()
}

function allKeysOfUser(db: Queries, userId: string) {
  return db.query
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
}

/** `id` may be any text. `undefined` also when the key belongs to another user, or the row to an app. */
export async function findKey(db: Queries, userId: string, id: string): Promise<ApiKey | undefined> {
  if (!isRecordId(id)) return undefined
  return allKeysOfUser(db, userId).where('id', '=', id).where('kind', '=', 'key').executeTakeFirst()
}

/** Unrevoked keys whose current secret, or whose previous one if it still works, has one of these hashes. */
export function findKeysBySecret(db: Queries, hashes: readonly string[], nowMs: number): Promise<ApiKey[]> {
  return db.query
    .selectFrom('api_keys')
    .selectAll()
    .where('revoked_at_ms', 'is', null)
    .where((row) =>
      row.or([
        row('secret_hash', 'in', hashes),
        row.and([row('previous_secret_hash', 'in', hashes), row('previous_secret_until_ms', '>', nowMs)]),
      ]),
    )
    .execute()
}

type Condition = (row: ExpressionBuilder<Tables, 'api_keys'>) => ExpressionWrapper<Tables, 'api_keys', SqlBool>

/** Neither revoked nor expired: `ACTIVE` or `AWAITS_OWNER` in `statusOf`. */
const isUnspent =
  (nowMs: number | Parameter<number>): Condition =>
  (row) =>
    row.and([
      row('revoked_at_ms', 'is', null),
      row.or([row('expires_at_ms', 'is', null), row('expires_at_ms', '>', nowMs)]),
    ])

const isExpired =
  (nowMs: number): Condition =>
  (row) =>
    row.and([row('revoked_at_ms', 'is', null), row('expires_at_ms', '<=', nowMs)])

/** Counts the keys of the user that can be exchanged. */
export async function countLiveKeys(trx: Transaction, userId: string, nowMs: number): Promise<number> {
  const { live } = await trx.query
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<number>().as('live'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'key')
    .where('awaits_owner_at_ms', 'is', null)
    .where(isUnspent(nowMs))
    .executeTakeFirstOrThrow()
  return live
}

/** Whether an unspent key of the user awaits the owner. */
export async function hasKeysAwaitingOwner(db: Queries, userId: string, nowMs: number): Promise<boolean> {
  return (await findKeyAwaitingOwner(db, userId, nowMs)).length > 0
}

const findKeyAwaitingOwner = prepared((query: QueryBuilder, userId: Parameter<string>, nowMs: Parameter<number>) =>
  query
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .where('kind', '=', 'key')
    .where('awaits_owner_at_ms', 'is not', null)
    .where(isUnspent(nowMs))
    .limit(1),
)

/** The caller holds the user's lock. */
export async function updateKey(trx: Transaction, id: string, change: Partial<ApiKey>): Promise<void> {
  await trx.query.updateTable('api_keys').set(change).where('id', '=', id).execute()
}

/** The caller holds the user's lock. */
export async function updateKeys(trx: Transaction, ids: readonly string[], change: Partial<ApiKey>): Promise<void> {
  await lockKeysById(trx, ids)
  await trx.query.updateTable('api_keys').set(change).where('id', 'in', ids).execute()
}

/** Skips revoked keys. The caller holds the user's lock. */
export async function setRevoked(trx: Transaction, ids: readonly string[], nowMs: number): Promise<void> {
  if (ids.length === 0) return
  await lockKeysById(trx, ids)
  await trx.query
    .updateTable('api_keys')
    .set({ revoked_at_ms: nowMs })
    .where('id', 'in', ids)
    .where('revoked_at_ms', 'is', null)
    .execute()
}

const BATCH = 500

/**
 * The caller holds the user's lock.
 * @param ids which unrevoked keys, also expired ones, whose payment links are held too; absent: all unspent keys
 * @returns number of keys changed
 */
export async function quarantineKeys(
  trx: Transaction,
  userId: string,
  nowMs: number,
  ids?: Iterable<string>,
): Promise<number> {
  const unrevoked = trx.query
    .updateTable('api_keys')
    .set({ awaits_owner_at_ms: nowMs })
    .where('user_id', '=', userId)
    .where('revoked_at_ms', 'is', null)
  if (ids === undefined) {
    const all: Condition = (row) => row.and([row('user_id', '=', userId), isUnspent(nowMs)(row)])
    await lockKeys(trx, all)
    return Number((await unrevoked.where(all).executeTakeFirst()).numUpdatedRows)
  }
  const chosen = [...ids].toSorted()
  let waiting = 0
  for (let done = 0; done < chosen.length; done += BATCH) {
    const some: Condition = (row) => row('id', 'in', chosen.slice(done, done + BATCH))
    await lockKeys(trx, some)
    waiting += Number((await unrevoked.where(some).executeTakeFirst()).numUpdatedRows)
  }
  return waiting
}

/**
 * Locks in the order of ids: one statement locks rows in any order, and key uses, written without the user's lock,
 * could deadlock with it.
 */
export function lockKeysById(trx: Transaction, ids: readonly string[]): Promise<KeyOwner[]> {
  const keys = trx.query.selectFrom('api_keys').select(['id', 'user_id']).where('id', 'in', ids)
  return keys.orderBy('id').forUpdate().execute()
}

export type KeyOwner = Pick<ApiKey, 'id' | 'user_id'>

async function lockKeys(trx: Transaction, which: Condition): Promise<void> {
  await trx.query.selectFrom('api_keys').select('id').where(which).orderBy('id').forUpdate().execute()
}
