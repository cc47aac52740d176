import { sql } from 'kysely'
import type { RawBuilder, Selectable, SqlBool } from 'kysely'
import { readOnly } from '../../database/batched-read.ts'
import type { BatchedRead } from '../../database/batched-read.ts'
import { isUniqueViolation, RunAgainError } from '../../database/database.ts'
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

/**
 * Changes the address, and revokes every token. Locks the user's row.
 * @returns the changed user; `undefined` when the address has an account
 * @throws {RunAgainError} when it gets one at the same time
 */
export async function setEmail(trx: Transaction, id: string, email: string): Promise<User | undefined> {
  const update = trx.query
    .updateTable('users')
    .set((row) => ({ email, token_version: row('token_version', '+', 1) }))
    .where('id', '=', id)
    .where((row) =>
      row.not(
        row.exists(row.selectFrom('users as other').select('id').where('email', '=', email).where('id', '!=', id)),
      ),
    )
    .returningAll()
  return update.executeTakeFirst().catch((error: unknown) => {
    throw isUniqueViolation(error) ? new RunAgainError() : error
  })
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

/** Current state of a token's user and of its API key or sign-in. */
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
    effective_restrictions: string | null
    /** Null when the token came from no sign-in on record. */
    sign_in: string | null
    signed_in_at_ms: number | null
    last_seen_at_ms: number | null
    ended_at_ms: number | null
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
  'api_keys.effective_restrictions',
  'sign_ins.id as sign_in',
  'sign_ins.created_at_ms as signed_in_at_ms',
  'sign_ins.last_seen_at_ms',
  'sign_ins.ended_at_ms',
] as const

// Uses a partial index of the waiting keys.
const hasKeysAwaiting = (nowMs: RawBuilder<number>) =>
  sql<SqlBool>`exists (
  select 1 from api_keys as waiting where waiting.user_id = users.id and waiting.awaits_owner_at_ms is not null
  and waiting.kind = 'key' and waiting.revoked_at_ms is null and (waiting.expires_at_ms is null or waiting.expires_at_ms > ${nowMs}))`.as(
    'has_keys_awaiting',
  )

const readTokenState = prepared((query: QueryBuilder, { userId, apiKeyId, signInId, nowMs }: RowParameters<Asked>) =>
  query
    .selectFrom('users')
    .leftJoin('api_keys', (join) => join.onRef('api_keys.user_id', '=', 'users.id').on('api_keys.id', '=', apiKeyId))
    .leftJoin('sign_ins', (join) => join.onRef('sign_ins.user_id', '=', 'users.id').on('sign_ins.id', '=', signInId))
    .select(tokenStateColumns)
    .select(hasKeysAwaiting(sql`${nowMs}`))
    .where('users.id', '=', userId),
)

/** A token has a key or a sign-in: one of both ids is null. */
type Asked = Readonly<{ userId: string; apiKeyId: string | null; signInId: string | null; nowMs: number }>
type AskedRow = Readonly<{
  user_id: string
  api_key_id: string | null
  sign_in_id: string | null
  now_ms: number
  position: number
}>

const readTokenStates = prepared(
  (
    query: QueryBuilder,
    userIds: Parameter<readonly string[]>,
    apiKeyIds: Parameter<readonly (string | null)[]>,
    signInIds: Parameter<readonly (string | null)[]>,
    nowsMs: Parameter<readonly number[]>,
  ) =>
    query
      .selectFrom('users')
      .innerJoin(
        sql<AskedRow>`unnest(${userIds}::text[], ${apiKeyIds}::text[], ${signInIds}::text[], ${nowsMs}::bigint[]) with ordinality`.as<'asked'>(
          sql`asked(user_id, api_key_id, sign_in_id, now_ms, position)`,
        ),
        'asked.user_id',
        'users.id',
      )
      .leftJoin('api_keys', (join) =>
        join.onRef('api_keys.user_id', '=', 'users.id').onRef('api_keys.id', '=', 'asked.api_key_id'),
      )
      .leftJoin('sign_ins', (join) =>
        join.onRef('sign_ins.user_id', '=', 'users.id').onRef('sign_ins.id', '=', 'asked.sign_in_id'),
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
      all.map(({ signInId }) => signInId),
      all.map(({ nowMs }) => nowMs),
    ),
  isSame: (one, other) =>
    one.apiKeyId === other.apiKeyId &&
    one.signInId === other.signInId &&
    one.userId === other.userId &&
    one.nowMs === other.nowMs,
}

/**
 * The guard's read on every call: never cached (docs/decisions/0004). `undefined` when the user does not exist.
 * @throws {StandbyError} when the server may lag behind a revocation
 */
export const findTokenState = (db: Queries, asked: Asked) => db.readBatched(tokenState, asked)
