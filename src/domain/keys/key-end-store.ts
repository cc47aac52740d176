import { sql } from 'kysely'
import type { ExpressionBuilder } from 'kysely'
import type { Queries, Transaction } from '../../database/database.ts'
import type { Tables } from '../../database/tables/tables.ts'
import { lockKeysById } from './key-store.ts'
import type { ApiKey } from './key-store.ts'

/** Counts the user's keys on record, up to `limit`. */
export async function countKeys(db: Queries, userId: string, limit: number): Promise<number> {
  const { count } = await db.query
    .with('some_keys', (some) => some.selectFrom('api_keys').select('id').where('user_id', '=', userId).limit(limit))
    .selectFrom('some_keys')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/**
 * The user's keys that ended first, revoked or expired, including those that awaited the owner.
 * @param revokedUntilMs absent: all revoked keys, even if the clock was set back since
 */
export async function findFirstEnded(
  db: Queries,
  userId: string,
  { expiredUntilMs, revokedUntilMs }: Readonly<{ expiredUntilMs: number; revokedUntilMs?: number }>,
  limit: number,
): Promise<ApiKey[]> {
  const keys = db.query
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where((row) => row.not(sharesDailyAmount(row)))
    .limit(limit)
  const expired = await keys
    .where('revoked_at_ms', 'is', null)
    .where('expires_at_ms', '<=', expiredUntilMs)
    .orderBy('expires_at_ms')
    .execute()
  const allRevoked = keys.where('revoked_at_ms', 'is not', null).orderBy('revoked_at_ms')
  const revoked = await (
    revokedUntilMs === undefined ? allRevoked : allRevoked.where('revoked_at_ms', '<=', revokedUntilMs)
  ).execute()
  return [...expired, ...revoked].toSorted((one, other) => endOf(one) - endOf(other)).slice(0, limit)
}

// Such a key stays on record: its limit could not be handed down to several keys without growing.
const sharesDailyAmount = (row: ExpressionBuilder<Tables, 'api_keys'>) =>
  row.and([
    row(row.fn.coalesce('restrictions', sql<string>`''`), 'like', '%"dailyAmount"%'),
    row(
      row
        .selectFrom('api_keys as made')
        .select((made) => made.fn.countAll<number>().as('count'))
        .whereRef('made.user_id', '=', 'api_keys.user_id')
        .whereRef('made.creator_id', '=', 'api_keys.id'),
      '>',
      1,
    ),
  ])

const endOf = ({ revoked_at_ms: revokedAtMs, expires_at_ms: expiresAtMs }: ApiKey): number =>
  Math.min(revokedAtMs ?? Infinity, expiresAtMs ?? Infinity)

/** Deletes ended keys. Revoked ones leave a tombstone, for restores. The caller holds the user's lock. */
export async function deleteKeys(
  trx: Transaction,
  keys: readonly Pick<ApiKey, 'id' | 'revoked_at_ms'>[],
): Promise<void> {
  if (keys.length === 0) return
  const ids = keys.map(({ id }) => id)
  await lockKeysById(trx, ids)
  await insertRevokedKeys(
    trx,
    keys.flatMap(({ id, revoked_at_ms }) => (revoked_at_ms === null ? [] : [{ id, revoked_at_ms }])),
  )
  await trx.query.deleteFrom('api_keys').where('id', 'in', ids).execute()
}

/** Skips those that are there already. */
export async function insertRevokedKeys(trx: Transaction, keys: readonly Tables['revoked_keys'][]): Promise<void> {
  if (keys.length === 0) return
  await trx.query
    .insertInto('revoked_keys')
    .values(keys)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute()
}

/** The owners of keys that were revoked or expired until a time: of up to twice `limit` keys. Locks nothing. */
export async function findOwnersOfEndedKeys(db: Queries, untilMs: number, limit: number): Promise<string[]> {
  const keys = db.query
    .selectFrom('api_keys')
    .select('user_id')
    .where((row) => row.not(sharesDailyAmount(row)))
    .limit(limit)
  const revoked = await keys.where('revoked_at_ms', '<=', untilMs).orderBy('revoked_at_ms').execute()
  const expired = await keys
    .where('revoked_at_ms', 'is', null)
    .where('expires_at_ms', '<=', untilMs)
    .orderBy('expires_at_ms')
    .execute()
  return [...new Set([...revoked, ...expired].map((key) => key.user_id))]
}

/** Keys that expire after `afterMs` and until `untilMs`, and live longer than `lifetimeOverMs` in all. */
export type ExpirySpan = Readonly<{ afterMs: number; untilMs: number; lifetimeOverMs: number }>

export type NoticeColumn = 'week_notice_at_ms' | 'day_notice_at_ms'

/** Active keys of claimed accounts that expire within the span and have no notice yet. Locks nothing. */
export function findExpiring(db: Queries, column: NoticeColumn, span: ExpirySpan, limit: number): Promise<ApiKey[]> {
  return db.query
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .selectAll('api_keys')
    .where('api_keys.kind', '=', 'key')
    .where('users.claimed_at_ms', 'is not', null)
    .where('users.disabled_at_ms', 'is', null)
    .where((row) => row.between('expires_at_ms', span.afterMs + 1, span.untilMs))
    .where((row) => row(row('expires_at_ms', '-', row.ref('api_keys.created_at_ms')), '>', span.lifetimeOverMs))
    .where('revoked_at_ms', 'is', null)
    .where('awaits_owner_at_ms', 'is', null)
    .where(column, 'is', null)
    .limit(limit)
    .execute()
}

/** Marks keys as notified; of several processes only one gets a key's id. The caller holds the user's lock. */
export async function markNoticed(
  trx: Transaction,
  column: NoticeColumn,
  ids: readonly string[],
  nowMs: number,
): Promise<string[]> {
  await lockKeysById(trx, ids)
  const marked = await trx.query
    .updateTable('api_keys')
    .set({ [column]: nowMs })
    .where('id', 'in', ids)
    .where(column, 'is', null)
    .where('revoked_at_ms', 'is', null)
    .where('awaits_owner_at_ms', 'is', null)
    .returning('id')
    .execute()
  return marked.map(({ id }) => id)
}
