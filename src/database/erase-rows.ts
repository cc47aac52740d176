/** What is left of deleted accounts in all tables: found by the tombstones, and deleted some rows at a time. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Queries } from './database.ts'
import type { Tables } from './tables/tables.ts'

type Owned = { [T in keyof Tables]: 'user_id' extends keyof Tables[T] ? T : never }[keyof Tables]

// Not `identities`: they go with the deletion itself, so that the Google account is free at once.
const owned = Object.entries({
  payment_links: ['id', 'created_at_ms'],
  idempotency_keys: ['key_hash', 'key_hash'],
  security_events: ['id', 'at_ms'],
  key_makers: ['id', 'at_ms'],
  api_keys: ['id', 'created_at_ms'],
} satisfies Record<Exclude<Owned, 'identities'>, readonly [string, string]>)

/** Deleted accounts of which rows are left, the first deleted first. */
export async function findDeleted(db: Queries, limit: number): Promise<string[]> {
  const users = await db
    .query.selectFrom('users')
    .select('id')
    .where('deleted_at_ms', 'is not', null)
    .where('disabled_at_ms', 'is not', null)
    .orderBy('deleted_at_ms')
    .limit(limit)
    .execute()
  return users.map(({ id }) => id)
}

/**
 * Deletes some rows of a deleted account, of one table. Passes over what another process has locked.
 * @returns how many; 0: there are none, or others have them
 */
export async function eraseSome(db: Queries, userId: string, limit: number): Promise<number> {
  for (const [table, [id, order]] of owned) {
    const { numDeletedRows } = await db
      .query.with('some_rows', (some) =>
        some
          // One of them stands for all in the types.
          .selectFrom(table as 'payment_links')
          .select(id as 'id')
          .where('user_id', '=', userId)
          // By the index, also while PostgreSQL believes that most of the table is this account's.
          .orderBy(order as 'id')
          .limit(limit)
          .forUpdate()
          .skipLocked(),
      )
      .deleteFrom(table as 'payment_links')
      // Of the others the id alone is the key; by the user too, SQLite would look at all rows of the account.
      .$if(table === 'idempotency_keys', (some) => some.where('user_id', '=', userId))
      .where(id as 'id', 'in', (some) => some.selectFrom('some_rows').select(id as 'id'))
      .executeTakeFirst()
    if (numDeletedRows > 0n) return Number(numDeletedRows)
  }
  return 0
}

/** Writes that nothing is left of a deleted account but its tombstone, if that is so. @returns whether it is */
export async function finishErasing(db: Queries, userId: string): Promise<boolean> {
  const left = owned.map(([table]) => sql`exists (select 1 from ${sql.table(table)} where user_id = ${userId})`)
  const { numUpdatedRows } = await db
    .query.updateTable('users')
    .set({ disabled_at_ms: null })
    .where('id', '=', userId)
    .where('deleted_at_ms', 'is not', null)
    .where(sql<SqlBool>`not (${sql.join(left, sql` or `)})`)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
