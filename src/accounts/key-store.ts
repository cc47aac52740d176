/** The api_keys table: every query on it. */
import type { ExpressionBuilder, ExpressionWrapper, Selectable, SqlBool } from 'kysely'
import { compiledOnce } from '../db/db.ts'
import type { ApiKeysTable, Db, DbTransaction, Tables } from '../db/db.ts'

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
  return allKeysOfUser(db, userId)
    .where((row) => row.or([row('revoked_at_ms', 'is', null), row('id', 'in', newestRevoked)]))
    .execute()
}

/** Every key the user ever had, newest first. */
export function findAllKeysOfUser(db: Db, userId: string): Promise<ApiKey[]> {
  return allKeysOfUser(db, userId).execute()
}

function allKeysOfUser(db: Db, userId: string) {
  return db
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at_ms', 'desc')
    .orderBy('id', 'desc')
}

/** The user's key with this record id, or `undefined`: also where the key is somebody else's. */
export function findKey(db: Db, userId: string, id: string): Promise<ApiKey | undefined> {
  return allKeysOfUser(db, userId).where('id', '=', id).executeTakeFirst()
}

/** The unrevoked keys that one of these secrets belongs to, or belonged to and still works for. */
export function findKeysBySecret(db: Db, hashes: readonly string[], nowMs: number): Promise<ApiKey[]> {
  return db
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

/** The keys whose secrets this key's tokens made, and those that their tokens made, and so on; newest first. */
export function findDescendants(db: Db, userId: string, id: string): Promise<ApiKey[]> {
  return allKeysOfUser(db, userId)
    .where('id', '!=', id)
    .where('id', 'in', idsOfDescendants(db, userId, [id]))
    .execute()
}

// UNION drops what is there already, so keys that rotated each other end the recursion too.
function idsOfDescendants(db: Db, userId: string, ids: readonly string[]) {
  return db
    .withRecursive('family', (query) =>
      query
        .selectFrom('api_keys')
        .select('api_keys.id')
        .where('api_keys.id', 'in', ids)
        .union(
          query
            .selectFrom('api_keys')
            .innerJoin('family', (join) =>
              join
                .on('api_keys.user_id', '=', userId)
                .on((row) =>
                  row.or([
                    row('api_keys.created_by_key_id', '=', row.ref('family.id')),
                    row('api_keys.rotated_by_key_id', '=', row.ref('family.id')),
                  ]),
                ),
            )
            .select('api_keys.id'),
        ),
    )
    .selectFrom('family')
    .select('family.id')
}

const readKeyForExchange = compiledOnce((db: Db, keyId: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select([
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
    ])
    .where('api_keys.key_id', '=', keyId),
)

/** The key with this public id and its user, as the exchange needs them. */
export async function findKeyForExchange(db: Db, keyId: string) {
  return (await readKeyForExchange(db, keyId))[0]
}

type Condition = (row: ExpressionBuilder<Tables, 'api_keys'>) => ExpressionWrapper<Tables, 'api_keys', SqlBool>

/** Neither revoked nor expired: what `statusOf` calls ACTIVE or AWAITS_OWNER. */
const isUnspent =
  (nowMs: number): Condition =>
  (row) =>
    row.and([
      row('revoked_at_ms', 'is', null),
      row.or([row('expires_at_ms', 'is', null), row('expires_at_ms', '>', nowMs)]),
    ])

/** How many keys of the user can be exchanged now. */
export async function countLiveKeys(trx: DbTransaction, userId: string, nowMs: number): Promise<number> {
  const { live } = await trx
    .selectFrom('api_keys')
    .select((row) => row.fn.countAll<number>().as('live'))
    .where('user_id', '=', userId)
    .where('awaits_owner_at_ms', 'is', null)
    .where(isUnspent(nowMs))
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
    .where(isUnspent(nowMs))
    .executeTakeFirst()
  return key !== undefined
}

/** Changes a key. The caller holds the user's lock. */
export async function updateKey(trx: DbTransaction, id: string, change: Partial<ApiKey>): Promise<void> {
  await trx.updateTable('api_keys').set(change).where('id', '=', id).execute()
}

/** Which of a user's keys are to wait: all, those of one sign-in, or those made or given a secret in a time. */
export type KeySelection =
  | 'all'
  | Readonly<{ signInId: string }>
  | Readonly<{ secretFromMs: number; secretUntilMs: number }>

/**
 * Makes unrevoked keys of the user, and the keys that their tokens made, wait for the owner.
 * The caller holds the user's lock.
 * @returns how many
 */
export async function quarantineKeys(
  trx: DbTransaction,
  userId: string,
  selection: KeySelection,
  nowMs: number,
): Promise<number> {
  const chosen = await trx
    .selectFrom('api_keys')
    .select('id')
    .where('user_id', '=', userId)
    .$call((query) => {
      if (selection === 'all') return query
      if ('signInId' in selection) return query.where('created_by_sign_in_id', '=', selection.signInId)
      const { secretFromMs, secretUntilMs } = selection
      // Either: a thief's key that has been given a new secret since then is still the thief's.
      return query.where((row) =>
        row.or([
          row.between('created_at_ms', secretFromMs, secretUntilMs),
          row.between('rotated_at_ms', secretFromMs, secretUntilMs),
        ]),
      )
    })
    .execute()
  if (chosen.length === 0) return 0
  const waiting = await trx
    .updateTable('api_keys')
    .set({ awaits_owner_at_ms: nowMs })
    .where('id', 'in', idsOfDescendants(trx, userId, chosen.map(({ id }) => id)))
    .where('revoked_at_ms', 'is', null)
    .executeTakeFirst()
  return Number(waiting.numUpdatedRows)
}

/** Marks unspent keys of proven owners that expire soon: each is told once, by one process. Locks their rows. */
export function markExpiring(
  trx: DbTransaction,
  column: 'week_notice_at_ms' | 'day_notice_at_ms',
  span: Readonly<{ nowMs: number; afterMs: number; untilMs: number; lifetimeOverMs: number; limit: number }>,
): Promise<ApiKey[]> {
  const expiring = trx
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select('api_keys.id')
    .where('users.claimed_at_ms', 'is not', null)
    .where((row) => row.between('expires_at_ms', span.afterMs + 1, span.untilMs))
    .where((row) => row(row('expires_at_ms', '-', row.ref('api_keys.created_at_ms')), '>', span.lifetimeOverMs))
    .where('revoked_at_ms', 'is', null)
    .where('awaits_owner_at_ms', 'is', null)
    .where(column, 'is', null)
    .limit(span.limit)
  return trx
    .updateTable('api_keys')
    .set({ [column]: span.nowMs })
    .where('id', 'in', expiring)
    .where(column, 'is', null)
    .returningAll()
    .execute()
}

/** Takes every key of the user out. The caller holds the user's lock. */
export async function deleteKeysOfUser(trx: DbTransaction, userId: string): Promise<void> {
  await trx.deleteFrom('api_keys').where('user_id', '=', userId).execute()
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
