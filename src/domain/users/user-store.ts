import { sql } from 'kysely'
import type { RawBuilder, Selectable, SqlBool } from 'kysely'
import { readOnly } from '../../database/batched-read.ts'
import type { BatchedRead } from '../../database/batched-read.ts'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { prepared, preparedWrite } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { UsersTable } from '../../database/tables/tables.ts'

export type User = Selectable<UsersTable>

const insertNewUser = preparedWrite((query: QueryBuilder, user: RowParameters<User>) =>
  query
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll(),
)

/**
 * Adds a user, or does nothing if the address has an account: two concurrent first sign-ins create one.
 * @returns `undefined` when the address is taken
 */
export async function insertUser(trx: Transaction, user: User): Promise<User | undefined> {
  return (await insertNewUser(trx, user))[0]
}

// The update changes nothing: it takes the row lock, with one statement for both databases.
const lockedUser = (query: QueryBuilder) =>
  query
    .updateTable('users')
    .set((row) => ({ token_version: row.ref('token_version') }))
    .where('deleted_at_ms', 'is', null)
    .returningAll()

const lockUserBy = {
  id: preparedWrite((query: QueryBuilder, id: Parameter<string>) => lockedUser(query).where('id', '=', id)),
  email: preparedWrite((query: QueryBuilder, email: Parameter<string>) => lockedUser(query).where('email', '=', email)),
}

/** Locks the user's row until the transaction ends. Skips deleted users, whose rows may exist for a while. */
export async function lockUser(trx: Transaction, by: 'id' | 'email', value: string): Promise<User | undefined> {
  return (await lockUserBy[by](trx, value))[0]
}

/** Locks nothing; skips deleted users. */
export function findUser(db: Queries, id: string): Promise<User | undefined> {
  return db.query
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at_ms', 'is', null)
    .executeTakeFirst()
}

export function findUserByEmail(db: Queries, email: string): Promise<User | undefined> {
  return db.query.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

/** Users in order of creation, without deleted ones. @param search a part of the address; reads all users */
export function findUsers(db: Queries, after: string, limit: number, search?: string): Promise<User[]> {
  const like = `%${search?.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`
  const users = db.query.selectFrom('users').selectAll().where('deleted_at_ms', 'is', null).where('id', '>', after)
  const found = search === undefined ? users : users.where(sql<SqlBool>`email like ${like} escape '\\'`)
  return found.orderBy('id').limit(limit).execute()
}

/** Locks the user's row. */
export async function renameUser(trx: Transaction, id: string, name: string | null): Promise<void> {
  await trx.query.updateTable('users').set({ name }).where('id', '=', id).execute()
}

/** Revokes every token issued to the user so far (specification, section 5.6). Locks the user's row. */
export async function incrementTokenVersion(trx: Transaction, id: string): Promise<void> {
  await trx.query
    .updateTable('users')
    .set((row) => ({ token_version: row('token_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Records the claim, and resets the count of payment links. Locks the user's row. */
export async function markClaimed(trx: Transaction, id: string, nowMs: number): Promise<void> {
  await trx.query
    .updateTable('users')
    .set({ claimed_at_ms: nowMs, payment_link_count: 0 })
    .where('id', '=', id)
    .execute()
}

/** Locks the user's row. */
export const setPaymentLinkCount = preparedWrite(
  (query: QueryBuilder, id: Parameter<string>, count: Parameter<number>) =>
    query.updateTable('users').set({ payment_link_count: count }).where('id', '=', id),
)

/** The language of mails about the account. Locks the user's row. */
export async function setLocale(trx: Transaction, id: string, locale: string): Promise<void> {
  await trx.query.updateTable('users').set({ locale }).where('id', '=', id).execute()
}

/** Null enables the account. Locks the user's row. */
export async function setDisabled(trx: Transaction, id: string, disabledAtMs: number | null): Promise<void> {
  await trx.query.updateTable('users').set({ disabled_at_ms: disabledAtMs }).where('id', '=', id).execute()
}

/**
 * Leaves a tombstone of the user: no personal data, a free address, every token revoked. It is disabled until
 * `finishErasing`, so that no process, not even of an older version, accepts its keys. Locks the user's row.
 */
export async function eraseUser(trx: Transaction, id: string, nowMs: number): Promise<void> {
  await incrementTokenVersion(trx, id)
  await trx.query
    .updateTable('users')
    .set({
      email: id,
      name: null,
      claimed_at_ms: null,
      locale: null,
      payment_link_count: null,
      disabled_at_ms: nowMs,
      deleted_at_ms: nowMs,
    })
    .where('id', '=', id)
    .execute()
}

/** Current state of a token's user and API key. */
export type TokenState = Readonly<
  Pick<User, 'id' | 'email' | 'role' | 'name' | 'token_version' | 'claimed_at_ms' | 'created_at_ms' | 'disabled_at_ms'>
> &
  Readonly<{
    /** Whether an unspent key of the user awaits the owner. */
    has_keys_awaiting: SqlBool
    /** Null when the token came from no key, or the key is deleted. */
    key: string | null
    expires_at_ms: number | null
    revoked_at_ms: number | null
    awaits_owner_at_ms: number | null
    family_id: string | null
  }>

const tokenStateColumns = [
  'users.id',
  'users.email',
  'users.role',
  'users.name',
  'users.token_version',
  'users.claimed_at_ms',
  'users.created_at_ms',
  'users.disabled_at_ms',
  'api_keys.id as key',
  'api_keys.expires_at_ms',
  'api_keys.revoked_at_ms',
  'api_keys.awaits_owner_at_ms',
  'api_keys.family_id',
] as const

// Uses a partial index of the waiting keys.
const hasKeysAwaiting = (nowMs: RawBuilder<number>) =>
  sql<SqlBool>`exists (
  select 1 from api_keys as waiting where waiting.user_id = users.id and waiting.awaits_owner_at_ms is not null
  and waiting.revoked_at_ms is null and (waiting.expires_at_ms is null or waiting.expires_at_ms > ${nowMs}))`.as(
    'has_keys_awaiting',
  )

const readTokenState = prepared((query: QueryBuilder, { userId, apiKeyId, nowMs }: RowParameters<Asked>) =>
  query
    .selectFrom('users')
    .leftJoin('api_keys', (join) => join.onRef('api_keys.user_id', '=', 'users.id').on('api_keys.id', '=', apiKeyId))
    .select(tokenStateColumns)
    .select(hasKeysAwaiting(sql`${nowMs}`))
    .where('users.id', '=', userId),
)

type Asked = Readonly<{ userId: string; apiKeyId: string | null; nowMs: number }>
type AskedRow = Readonly<{ user_id: string; api_key_id: string | null; now_ms: number; position: number }>

const readTokenStates = prepared(
  (
    query: QueryBuilder,
    userIds: Parameter<readonly string[]>,
    apiKeyIds: Parameter<readonly (string | null)[]>,
    nowsMs: Parameter<readonly number[]>,
  ) =>
    query
      .selectFrom('users')
      .innerJoin(
        sql<AskedRow>`unnest(${userIds}::text[], ${apiKeyIds}::text[], ${nowsMs}::bigint[]) with ordinality`.as<'asked'>(
          sql`asked(user_id, api_key_id, now_ms, position)`,
        ),
        'asked.user_id',
        'users.id',
      )
      .leftJoin('api_keys', (join) =>
        join.onRef('api_keys.user_id', '=', 'users.id').onRef('api_keys.id', '=', 'asked.api_key_id'),
      )
      .select(tokenStateColumns)
      .select(['asked.position', readOnly, hasKeysAwaiting(sql.ref('asked.now_ms'))]),
)

const tokenState: BatchedRead<Asked, TokenState> = {
  readOne: readTokenState,
  readMany: (db, all) =>
    readTokenStates(
      db,
      all.map(({ userId }) => userId),
      all.map(({ apiKeyId }) => apiKeyId),
      all.map(({ nowMs }) => nowMs),
    ),
  isSame: (one, other) => one.apiKeyId === other.apiKeyId && one.userId === other.userId && one.nowMs === other.nowMs,
}

/**
 * The guard's read on every call: never cached (docs/decisions/0004). `undefined` when the user does not exist.
 * @throws {StandbyError} when the server may lag behind a revocation
 */
export const findTokenState = (db: Queries, asked: Asked) => db.readBatched(tokenState, asked)

/** An account that nobody has claimed, and whether it was used since the time asked about. */
export type Unclaimed = Readonly<Pick<User, 'id' | 'created_at_ms'> & { isUnused: boolean }>

/** Accounts created before a time that nobody has claimed, oldest first, after one of them. Locks nothing. */
export async function pageOfUnclaimed(
  db: Queries,
  { beforeMs, after, limit }: Readonly<{ beforeMs: number; after: Unclaimed | undefined; limit: number }>,
): Promise<Unclaimed[]> {
  const page = await db.query
    .selectFrom('users')
    .select(['id', 'created_at_ms', isUnusedSince(beforeMs).as('is_unused')])
    .where('claimed_at_ms', 'is', null)
    .where('deleted_at_ms', 'is', null)
    .where('created_at_ms', '<', beforeMs)
    .where(sql<SqlBool>`(created_at_ms, id) > (${after?.created_at_ms ?? 0}, ${after?.id ?? ''})`)
    .orderBy('created_at_ms')
    .orderBy('id')
    .limit(limit)
    .execute()
  return page.map(({ id, created_at_ms, is_unused }) => ({ id, created_at_ms, isUnused: Boolean(is_unused) }))
}

/** Whether an account is still unclaimed, and was not used since a time. The caller holds the user's lock. */
export async function isUnclaimedAndUnused(trx: Transaction, id: string, sinceMs: number): Promise<boolean> {
  const found = await trx.query
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .where('claimed_at_ms', 'is', null)
    .where('created_at_ms', '<', sinceMs)
    .where(isUnusedSince(sinceMs))
    .executeTakeFirst()
  return found !== undefined
}

// A payment link may still be paid, a person signs in with a connected Google account, and a disabled account keeps its
// address blocked. Not `exists`, which PostgreSQL may answer by reading the whole other table.
const isUnusedSince = (sinceMs: number) => sql<SqlBool>`(
  disabled_at_ms is null
  and (select 1 from identities where identities.user_id = users.id limit 1) is null
  and (select 1 from payment_links where payment_links.user_id = users.id limit 1) is null
  and (
    select 1 from api_keys where api_keys.user_id = users.id
    and (api_keys.created_at_ms >= ${sinceMs} or last_used_at_ms >= ${sinceMs} or rotated_at_ms >= ${sinceMs}) limit 1
  ) is null
)`
