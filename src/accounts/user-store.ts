/** The users table: every query on it. */
import { sql } from 'kysely'
import type { RawBuilder, Selectable, SqlBool } from 'kysely'
import { byTurn } from '../db/by-turn.ts'
import { compiledOnce, isServer } from '../db/db.ts'
import { reserveOf } from '../db/postgres.ts'
import { readOnly, refuseStandby } from '../db/standby.ts'
import type { Db, DbTransaction, UsersTable } from '../db/db.ts'

/** A user's row. */
export type User = Selectable<UsersTable>

/**
 * Adds a user, or does nothing where the address has an account: two first sign-ins make one.
 * @returns the new user, or `undefined` where the address is taken
 */
export function insertUser(trx: DbTransaction, user: User): Promise<User | undefined> {
  return trx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst()
}

/**
 * Locks the user's row until the transaction ends and reads it.
 * The update changes nothing: it is the lock that both databases take for an ordinary statement.
 */
export function lockUser(
  trx: DbTransaction,
  by: 'id' | 'email',
  value: string,
): Promise<User | undefined> {
  return trx
    .updateTable('users')
    .set((row) => ({ token_version: row.ref('token_version') }))
    .where(by, '=', value)
    .returningAll()
    .executeTakeFirst()
}

/** The user, not locked; no deleted one. */
export function findUser(db: Db, id: string): Promise<User | undefined> {
  return db
    .selectFrom('users')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at_ms', 'is', null)
    .executeTakeFirst()
}

/** The user with this address, not locked. */
export function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
}

/** Users in the order they came, no deleted ones. @param search a part of the address: all are looked through for it */
export function findUsers(db: Db, after: string, limit: number, search?: string): Promise<User[]> {
  const like = `%${search?.replaceAll(/[%_\\]/g, String.raw`\$&`)}%`
  const users = db.selectFrom('users').selectAll().where('deleted_at_ms', 'is', null).where('id', '>', after)
  const found = search === undefined ? users : users.where(sql<SqlBool>`email like ${like} escape '\\'`)
  return found.orderBy('id').limit(limit).execute()
}

/** Sets the display name. Locks the user's row. */
export async function renameUser(trx: DbTransaction, id: string, name: string | null): Promise<void> {
  await trx.updateTable('users').set({ name }).where('id', '=', id).execute()
}

/** Kills every token issued to the user so far (specification, section 5.6). Locks the user's row. */
export async function incrementTokenVersion(trx: DbTransaction, id: string): Promise<void> {
  await trx
    .updateTable('users')
    .set((row) => ({ token_version: row('token_version', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

/** Writes that the address is proven. Locks the user's row. */
export async function markClaimed(trx: DbTransaction, id: string, nowMs: number): Promise<void> {
  await trx.updateTable('users').set({ claimed_at_ms: nowMs }).where('id', '=', id).execute()
}

/** Writes the language for mails about the account. Locks the user's row. */
export async function setLocale(trx: DbTransaction, id: string, locale: string): Promise<void> {
  await trx.updateTable('users').set({ locale }).where('id', '=', id).execute()
}

/** Disables the account, or with null enables it. Locks the user's row. */
export async function setDisabled(trx: DbTransaction, id: string, disabledAtMs: number | null): Promise<void> {
  await trx.updateTable('users').set({ disabled_at_ms: disabledAtMs }).where('id', '=', id).execute()
}

/**
 * Leaves a tombstone of the user: nothing personal, a free address, and every token dead.
 * Locks the user's row.
 */
export async function eraseUser(trx: DbTransaction, id: string, nowMs: number): Promise<void> {
  await incrementTokenVersion(trx, id)
  await trx
    .updateTable('users')
    .set({ email: id, name: null, claimed_at_ms: null, locale: null, disabled_at_ms: null, deleted_at_ms: nowMs })
    .where('id', '=', id)
    .execute()
}

/** Who a token's user is now, and how the key is that the token came from. */
export type TokenState = Readonly<{
  role: string
  token_version: number
  disabled_at_ms: number | null
  /** Null where the token came from no key, or the key is gone. */
  key: string | null
  expires_at_ms: number | null
  revoked_at_ms: number | null
  awaits_owner_at_ms: number | null
}>

const tokenStateColumns = [
  'users.role',
  'users.token_version',
  'users.disabled_at_ms',
  'api_keys.id as key',
  'api_keys.expires_at_ms',
  'api_keys.revoked_at_ms',
  'api_keys.awaits_owner_at_ms',
] as const

/** The read of every protected call, from the primary; never cached (see docs/decisions/0004). */
const readTokenState = compiledOnce((db: Db, apiKeyId: string | null, userId: string) =>
  db
    .selectFrom('users')
    .leftJoin('api_keys', (join) =>
      join.onRef('api_keys.user_id', '=', 'users.id').on('api_keys.id', '=', apiKeyId),
    )
    .select(tokenStateColumns)
    .where('users.id', '=', userId),
)

type Asked = Readonly<{ user_id: string; api_key_id: string | null; position: number }>

/** The same for many calls, in one query: for a server, where the way there and back is what costs. */
const readTokenStates = compiledOnce((db: Db, userIds: readonly string[], apiKeyIds: readonly (string | null)[]) =>
  db
    .selectFrom('users')
    .innerJoin(
      sql<Asked>`unnest(${userIds}::text[], ${apiKeyIds}::text[]) with ordinality`.as<'asked'>(
        sql`asked(user_id, api_key_id, position)`,
      ),
      'asked.user_id',
      'users.id',
    )
    .leftJoin('api_keys', (join) =>
      join.onRef('api_keys.user_id', '=', 'users.id').onRef('api_keys.id', '=', 'asked.api_key_id'),
    )
    .select(tokenStateColumns)
    .select(['asked.position', readOnly]),
)

type Token = Readonly<{ userId: string; apiKeyId: string | null }>

const stateReaders = new WeakMap<Db, (token: Token) => Promise<TokenState | undefined>>()

// From the connections that writes cannot take.
function readingFrom(db: Db) {
  const reserve = reserveOf(db)
  const bounds = reserve && { most: reserve.connections, sentWithinMs: reserve.connectedWithinMs }
  return { from: reserve?.db ?? db, bounds }
}

function stateReaderOf(db: Db): (token: Token) => Promise<TokenState | undefined> {
  let read = stateReaders.get(db)
  if (read === undefined) {
    const { from, bounds } = readingFrom(db)
    read = byTurn(async (tokens: readonly Token[]) => {
      const states: (TokenState | undefined)[] = Array.from(tokens, () => undefined)
      const ids = [tokens.map(({ userId }) => userId), tokens.map(({ apiKeyId }) => apiKeyId)] as const
      for (const { position, read_only: isReadOnly, ...state } of await readTokenStates(from, ...ids)) {
        refuseStandby(isReadOnly)
        states[position - 1] = state
      }
      return states
    }, bounds)
    stateReaders.set(db, read)
  }
  return read
}

/** The state of a token's user and key now, or `undefined` where the user is gone. */
export async function findTokenState(
  db: Db,
  userId: string,
  apiKeyId: string | null,
): Promise<TokenState | undefined> {
  // In a transaction the read belongs to it and to nobody else.
  if (isServer(db) && !db.isTransaction) return stateReaderOf(db)({ userId, apiKeyId })
  return (await readTokenState(db, apiKeyId, userId))[0]
}

/** A user's row, and whether a key of theirs waits for them and could still come back to life. */
export type Profile = User & Readonly<{ has_keys_awaiting: SqlBool }>

const hasKeysAwaiting = (nowMs: RawBuilder<number>) => sql<SqlBool>`exists (
  select 1 from api_keys where api_keys.user_id = users.id and awaits_owner_at_ms is not null
  and revoked_at_ms is null and (expires_at_ms is null or expires_at_ms > ${nowMs}))`.as('has_keys_awaiting')

const readProfile = compiledOnce((db: Db, nowMs: number, id: string) =>
  db.selectFrom('users').selectAll().select(hasKeysAwaiting(sql`${nowMs}`)).where('id', '=', id),
)

type Sought = Readonly<{ user_id: string; now_ms: number; position: number }>

const readProfiles = compiledOnce((db: Db, ids: readonly string[], nowsMs: readonly number[]) =>
  db
    .selectFrom('users')
    .innerJoin(
      sql<Sought>`unnest(${ids}::text[], ${nowsMs}::bigint[]) with ordinality`.as<'sought'>(
        sql`sought(user_id, now_ms, position)`,
      ),
      'sought.user_id',
      'users.id',
    )
    .selectAll('users')
    .select(['sought.position', readOnly, hasKeysAwaiting(sql.ref('sought.now_ms'))]),
)

const profileReaders = new WeakMap<Db, (sought: Readonly<{ id: string; nowMs: number }>) => Promise<Profile | undefined>>()

/** The user as they see themselves; no deleted one. Read with those that others ask for in the same turn. */
export async function findProfile(db: Db, id: string, nowMs: number): Promise<Profile | undefined> {
  let read = profileReaders.get(db)
  if (!isServer(db) || db.isTransaction) read = async () => (await readProfile(db, nowMs, id))[0]
  if (read === undefined) {
    const { from, bounds } = readingFrom(db)
    read = byTurn(async (sought) => {
      const profiles: (Profile | undefined)[] = Array.from(sought, () => undefined)
      const rows = await readProfiles(from, sought.map((one) => one.id), sought.map((one) => one.nowMs))
      for (const { position, read_only: isReadOnly, ...profile } of rows) {
        refuseStandby(isReadOnly)
        profiles[position - 1] = profile
      }
      return profiles
    }, bounds)
    profileReaders.set(db, read)
  }
  const profile = await read({ id, nowMs })
  return profile?.deleted_at_ms === null ? profile : undefined
}
