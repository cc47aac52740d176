import { sql } from 'kysely'
import type { Selectable, SqlBool } from 'kysely'
import { isUniqueViolation, RunAgainError } from '../../database/database.ts'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { preparedInTransaction, preparedRow } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { UsersTable } from '../../database/tables/tables.ts'

export type User = Selectable<UsersTable>

const insertNewUser = preparedInTransaction((query: QueryBuilder, user: RowParameters<User>) =>
  query
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id'),
)

/**
 * Adds a user, or does nothing if the address has an account: two concurrent first sign-ins create one.
 * @returns false when the address is taken
 */
export async function insertUser(trx: Transaction, user: User): Promise<boolean> {
  return (await insertNewUser(trx, user)).length > 0
}

// The lock of an update: inserts of rows that refer to the user go on.
const lockedUser = (query: QueryBuilder) =>
  query.selectFrom('users').selectAll().where('deleted_at_ms', 'is', null).forNoKeyUpdate()

const lockUserBy = {
  id: preparedInTransaction((query: QueryBuilder, id: Parameter<string>) => lockedUser(query).where('id', '=', id)),
  email: preparedInTransaction((query: QueryBuilder, email: Parameter<string>) =>
    lockedUser(query).where('email', '=', email),
  ),
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

export const findUserByEmail = preparedRow((query: QueryBuilder, email: Parameter<string>) =>
  query.selectFrom('users').selectAll().where('email', '=', email),
)

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

/** Records the claim, revokes every token, and resets what others may have set. Locks the user's row. */
export function claimUser(trx: Transaction, id: string, nowMs: number): Promise<User> {
  return trx.query
    .updateTable('users')
    .set((row) => ({
      claimed_at_ms: nowMs,
      token_version: row('token_version', '+', 1),
      name: null,
      payment_link_count: 0,
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Locks the user's row. */
export const setPaymentLinkCount = preparedInTransaction(
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

/** Every column that deletion overwrites: a new column does not compile until it is decided whether it is one. */
type Tombstone = Omit<User, 'id' | 'role' | 'token_version' | 'created_at_ms'>

/**
 * Leaves a tombstone of the user: no personal data, a free address, every token revoked. It is disabled until
 * `finishErasing`, so that no process, not even of an older version, accepts its keys. Locks the user's row.
 */
export async function eraseUser(trx: Transaction, id: string, nowMs: number): Promise<void> {
  await incrementTokenVersion(trx, id)
  const tombstone: Tombstone = {
    email: id,
    name: null,
    claimed_at_ms: null,
    locale: null,
    payment_link_count: null,
    disabled_at_ms: nowMs,
    deleted_at_ms: nowMs,
  }
  await trx.query.updateTable('users').set(tombstone).where('id', '=', id).execute()
}
