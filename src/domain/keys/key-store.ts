/** The api_keys table: every query on it. */
import { sql } from 'kysely'
import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from 'kysely'
import { readOnly } from '../../database/batched-read.ts'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { prepared, preparedWrite } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { ApiKeysTable, Tables } from '../../database/tables/tables.ts'

/** An API key's row. */
export type ApiKey = Selectable<ApiKeysTable>

/** Adds a key. */
export const insertKey = preparedWrite((query: QueryBuilder, key: RowParameters<ApiKey>) =>
  query.insertInto('api_keys').values(key),
)

/** How many keys that were revoked, and how many that expired, a list shows: those that ended last. */
const MOST_ENDED_SHOWN = 100
/** More keys than an account has that did not end, but for one from before there was a bound (docs/decisions/0032). */
const MOST_UNSPENT_SHOWN = 1000

/** The user's keys, newest first: all that did not end, and those that ended last. */
export async function findKeysOfUser(db: Queries, userId: string, nowMs: number): Promise<ApiKey[]> {
  const keys = db.query.selectFrom('api_keys').selectAll().where('user_id', '=', userId)
  // One after the other: a key that ends meanwhile is found twice, and none is missed.
  const found = [
    ...(await keys.where(isUnspent(nowMs)).limit(MOST_UNSPENT_SHOWN).execute()),
    ...(await keys.where(isExpired(nowMs)).orderBy('expires_at_ms', 'desc').limit(MOST_ENDED_SHOWN).execute()),
    ...(await keys
      .where('revoked_at_ms', 'is not', null)
      .orderBy('revoked_at_ms', 'desc')
      .limit(MOST_ENDED_SHOWN)
      .execute()),
  ]
  return [...new Map(found.map((key) => [key.id, key])).values()].toSorted(newestFirst)
}

function newestFirst(one: ApiKey, other: ApiKey): number {
  return other.created_at_ms - one.created_at_ms || (one.id < other.id ? 1 : -1)
}

/** These keys of the user, as far as they are on record. */
export async function findKeysById(db: Queries, userId: string, ids: readonly string[]): Promise<ApiKey[]> {
  // PostgreSQL has no empty list.
  if (ids.length === 0) return []
  return db.query.selectFrom('api_keys').selectAll().where('user_id', '=', userId).where('id', 'in', ids).execute()
}

/** Every key the user ever had, newest first. @param page a part of them, from behind one */
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

// What our ids are made of.
const RECORD_ID = /^[\w-]{1,64}$/

/** The user's key with this record id, whatever text that is, or `undefined`: also where the key is somebody else's. */
export async function findKey(db: Queries, userId: string, id: string): Promise<ApiKey | undefined> {
  // PostgreSQL fails at a NUL, and takes all lone surrogates for one sign.
  if (!RECORD_ID.test(id)) return undefined
  return allKeysOfUser(db, userId).where('id', '=', id).executeTakeFirst()
}

/** The unrevoked keys that one of these secrets belongs to, or belonged to and still works for. */
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

const exchangeColumns = [
  'api_keys.id',
  'api_keys.secret_hash',
  'api_keys.previous_secret_hash',
  'api_keys.previous_secret_until_ms',
  'api_keys.expires_at_ms',
  'api_keys.awaits_owner_at_ms',
  'api_keys.revoked_at_ms',
  'users.id as user_id',
  'users.email',
  'users.role',
  'users.token_version',
  'users.disabled_at_ms',
] as const

const exchangeKeys = (query: QueryBuilder) =>
  query.selectFrom('api_keys').innerJoin('users', 'users.id', 'api_keys.user_id').select(exchangeColumns)

const readKeyForExchange = prepared((query: QueryBuilder, keyId: Parameter<string>) =>
  exchangeKeys(query).where('api_keys.key_id', '=', keyId),
)

const readKeysForExchange = prepared((query: QueryBuilder, keyIds: Parameter<readonly string[]>) =>
  exchangeKeys(query)
    .innerJoin(
      sql<{ key_id: string; position: number }>`unnest(${keyIds}::text[]) with ordinality`.as<'asked'>(
        sql`asked(key_id, position)`,
      ),
      'asked.key_id',
      'api_keys.key_id',
    )
    .select(['asked.position', readOnly]),
)

// Without `isSame`: shared reads would tell which of two ids is a key's.
const exchangeKey = { readOne: readKeyForExchange, readMany: readKeysForExchange }
/** The key with this public id, and its user. @throws {StandbyError} when the server may lag behind a revocation */
export const findKeyForExchange = (db: Queries, keyId: string) => db.readBatched(exchangeKey, keyId)

/** A key as the exchange finds it. */
export type ExchangeKey = NonNullable<Awaited<ReturnType<typeof findKeyForExchange>>>

type Condition = (row: ExpressionBuilder<Tables, 'api_keys'>) => ExpressionWrapper<Tables, 'api_keys', SqlBool>

/** Neither revoked nor expired: what `statusOf` calls ACTIVE or AWAITS_OWNER. */
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

/** How many keys of the user can be exchanged now. */
export async function countLiveKeys(trx: Transaction, userId: string, nowMs: number): Promise<number> {
  const { live } = await trx.query
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<number>().as('live'))
    .where('user_id', '=', userId)
    .where('awaits_owner_at_ms', 'is', null)
    .where(isUnspent(nowMs))
    .executeTakeFirstOrThrow()
  return live
}

/** Whether a key of the user waits for the owner and could still come back to life. */
export async function hasKeysAwaitingOwner(db: Queries, userId: string, nowMs: number): Promise<boolean> {
  return (await findKeyAwaitingOwner(db, userId, nowMs)).length > 0
}

const findKeyAwaitingOwner = prepared((query: QueryBuilder, userId: Parameter<string>, nowMs: Parameter<number>) =>
  query
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .where('awaits_owner_at_ms', 'is not', null)
    .where(isUnspent(nowMs))
    .limit(1),
)

/** Changes a key. The caller holds the user's lock. */
export async function updateKey(trx: Transaction, id: string, change: Partial<ApiKey>): Promise<void> {
  await trx.query.updateTable('api_keys').set(change).where('id', '=', id).execute()
}

/** Revokes unrevoked keys. The caller holds the user's lock. */
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

/** How many ids stand in one statement. */
const BATCH = 500

/**
 * Makes keys of the user wait for the owner. The caller holds the user's lock.
 * @param ids which unrevoked ones: the payment links of those that expired are held too; all that did not end when absent
 * @returns how many
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

// Uses are written without the user's lock, and one statement takes rows in any order: several keys are locked by id
// before they are changed, so that nobody waits in a circle.
/** Locks keys of these ids. */
export async function lockKeysById(trx: Transaction, ids: readonly string[]): Promise<void> {
  await lockKeys(trx, (row) => row('id', 'in', ids))
}

async function lockKeys(trx: Transaction, which: Condition): Promise<void> {
  await trx.query.selectFrom('api_keys').select('id').where(which).orderBy('id').forUpdate().execute()
}

/**
 * Writes when keys were last exchanged. Never moves a time back. Locks the keys.
 * @param usedAtMs by record id; at most a few hundred
 */
export async function recordKeyUses(trx: Transaction, usedAtMs: ReadonlyMap<string, number>): Promise<void> {
  if (usedAtMs.size === 0) return
  await lockKeysById(trx, [...usedAtMs.keys()])
  const uses = [...usedAtMs].map(([id, atMs]) => sql`(${id}, cast(${atMs} as bigint))`)
  await trx.query
    .updateTable('api_keys')
    // The names that both databases give to columns that have none.
    .from(sql<{ column1: string; column2: number }>`(values ${sql.join(uses)})`.as<'used'>(sql`used`))
    .set((row) => ({ last_used_at_ms: row.ref('used.column2') }))
    .whereRef('api_keys.id', '=', 'used.column1')
    .where((row) => row.or([row('last_used_at_ms', 'is', null), row('last_used_at_ms', '<', row.ref('used.column2'))]))
    .execute()
}
