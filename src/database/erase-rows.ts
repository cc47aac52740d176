/** Erases the remaining rows of deleted accounts in batches, found by their tombstones. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Queries } from './database.ts'
import { deleteBatch } from './delete-batch.ts'
import type { Tables } from './tables/tables.ts'

type Owned = { [T in keyof Tables]: 'user_id' extends keyof Tables[T] ? T : never }[keyof Tables]

// Without `identities` and `address_changes`: the deletion itself removes them, so that the Google account and the
// addresses are free at once. Without `account_changes`: it tells services behind about the deletion.
const owned = Object.entries({
  payment_links: { key: ['id'], order: 'created_at_ms' },
  idempotency_keys: { key: ['user_id', 'key_hash'], order: 'key_hash' },
  sign_ins: { key: ['id'], order: 'created_at_ms' },
  authorization_requests: { key: ['id'], order: 'expires_at_ms' },
  security_events: { key: ['id'], order: 'at_ms' },
  key_makers: { key: ['id'], order: 'at_ms' },
  key_amounts: { key: ['key_id', 'day', 'currency'], order: 'day' },
  key_daily_uses: { key: ['key_id', 'day'], order: 'day' },
  api_keys: { key: ['id'], order: 'created_at_ms' },
} satisfies Record<
  Exclude<Owned, 'identities' | 'account_changes' | 'address_changes'>,
  Readonly<{ key: readonly string[]; order: string }>
>)

/** Deleted accounts with remaining rows, in order of deletion. */
export async function findAccountsToErase(db: Queries, limit: number): Promise<string[]> {
  const users = await db.query
    .selectFrom('users')
    .select('id')
    .where('deleted_at_ms', 'is not', null)
    .where('disabled_at_ms', 'is not', null)
    .orderBy('deleted_at_ms')
    .limit(limit)
    .execute()
  return users.map(({ id }) => id)
}

/**
 * Deletes up to `limit` rows from one table; skips locked rows.
 * @returns the number of deleted rows; 0 when none are left or all are locked
 */
export async function eraseBatch(db: Queries, userId: string, limit: number): Promise<number> {
  for (const [table, { key, order }] of owned) {
    const deleted = await deleteBatch(db, {
      // The cast to one table satisfies the types.
      table: table as 'payment_links',
      key: key as 'id'[],
      orderedBy: order as 'id',
      where: (row) => row('user_id', '=', userId),
      limit,
    })
    if (deleted > 0) return deleted
  }
  return 0
}

/** Marks the account as erased if only its tombstone is left. @returns whether it is */
export async function finishErasing(db: Queries, userId: string): Promise<boolean> {
  const left = owned.map(([table]) => sql`exists (select 1 from ${sql.table(table)} where user_id = ${userId})`)
  const { numUpdatedRows } = await db.query
    .updateTable('users')
    .set({ disabled_at_ms: null })
    .where('id', '=', userId)
    .where('deleted_at_ms', 'is not', null)
    .where(sql<SqlBool>`not (${sql.join(left, sql` or `)})`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
