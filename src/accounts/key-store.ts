/** The api_keys table: every query on it. */
import type { Selectable } from 'kysely'
import { compiledOnce } from '../db/db.ts'
import type { ApiKeysTable, Db, DbTransaction } from '../db/db.ts'

/** An API key's row. */
export type ApiKey = Selectable<ApiKeysTable>

/** Adds a key. */
export async function insertKey(trx: DbTransaction, key: ApiKey): Promise<void> {
  await trx.insertInto('api_keys').values(key).execute()
}

/** How many revoked keys a list shows; older ones are on record only. */
const MOST_REVOKED_SHOWN = 100

/** The user's keys, newest first: all that are not revoked, and the newest of those that are. */
export function findKeysOfUser(db: Db, userId: string): Promise<ApiKey[]> {
  const newestRevoked = db
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .where('revoked_at_ms', 'is not', null)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_REVOKED_SHOWN)
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where((row) => row.or([row('revoked_at_ms', 'is', null), row('id', 'in', newestRevoked)]))
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** The user's key with this record id, or `undefined`: also where the key is somebody else's. */
export function findKey(db: Db, userId: string, id: string): Promise<ApiKey | undefined> {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

const readKeyForExchange = compiledOnce((db: Db, keyId: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select([
      'api_keys.id',
      'api_keys.secret_hash',
      'api_keys.expires_at_ms',
      'api_keys.awaits_owner_at_ms',
      'api_keys.revoked_at_ms',
      'users.id as user_id',
      'users.email',
      'users.role',
      'users.token_version',
    ])
    .where('api_keys.key_id', '=', keyId),
)

/** The key with this public id and its user, as the exchange needs them. */
export async function findKeyForExchange(db: Db, keyId: string) {
  return (await readKeyForExchange(db, keyId))[0]
}

/** How many keys of the user can be exchanged now. */
export async function countLiveKeys(trx: DbTransaction, userId: string, nowMs: number): Promise<number> {
  const { live } = await trx
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<number>().as('live'))
    .where('user_id', '=', userId)
    .where('revoked_at_ms', 'is', null)
    .where('awaits_owner_at_ms', 'is', null)
    .where((row) => row.or([row('expires_at_ms', 'is', null), row('expires_at_ms', '>', nowMs)]))
    .executeTakeFirstOrThrow()
  return live
}

/** Whether a key of the user waits for the owner and could still come back to life. */
export async function hasKeysAwaitingOwner(db: Db, userId: string, nowMs: number): Promise<boolean> {
  const key = await db
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .where('awaits_owner_at_ms', 'is not', null)
    .where('revoked_at_ms', 'is', null)
    .where((row) => row.or([row('expires_at_ms', 'is', null), row('expires_at_ms', '>', nowMs)]))
    .limit(1)
    .executeTakeFirst()
  return key !== undefined
}

/** Revokes a key; a second time changes nothing. The caller holds the user's lock. */
export async function markRevoked(trx: DbTransaction, id: string, nowMs: number): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ revoked_at_ms: nowMs })
    .where('id', '=', id)
    .where('revoked_at_ms', 'is', null)
    .execute()
}

/** Lets a key work again that waited for the owner. The caller holds the user's lock. */
export async function markKept(trx: DbTransaction, id: string): Promise<void> {
  await trx.updateTable('api_keys').set({ awaits_owner_at_ms: null }).where('id', '=', id).execute()
}

/** Makes every unrevoked key of the user wait for the owner. The caller holds the user's lock. */
export async function quarantineKeys(trx: DbTransaction, userId: string, nowMs: number): Promise<void> {
  await trx
    .updateTable('api_keys')
    .set({ awaits_owner_at_ms: nowMs })
    .where('user_id', '=', userId)
    .where('revoked_at_ms', 'is', null)
    .execute()
}

/** Writes when a key was last exchanged. Never moves the time back. */
export async function recordKeyUse(db: Db, id: string, usedAtMs: number): Promise<void> {
  await db
    .updateTable('api_keys')
    .set({ last_used_at_ms: usedAtMs })
    .where('id', '=', id)
    .where((row) => row.or([row('last_used_at_ms', 'is', null), row('last_used_at_ms', '<', usedAtMs)]))
    .execute()
}
