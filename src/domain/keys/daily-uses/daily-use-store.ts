/** How often keys were exchanged and refused, per day. */
import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Queries, Transaction } from '../../../database/database.ts'
import { deleteBatch } from '../../../database/delete-batch.ts'
import type { KeyDailyUsesTable } from '../../../database/tables/key-tables.ts'
import { lockKeysById } from '../key-store.ts'

export type DailyUse = Selectable<KeyDailyUsesTable>

/**
 * Adds to what is stored; leaves out keys that are deleted. Locks the keys.
 * @param uses at most one of each key and day, a few hundred
 */
export async function addDailyUses(trx: Transaction, uses: readonly Omit<DailyUse, 'user_id'>[]): Promise<void> {
  if (uses.length === 0) return
  const keys = await lockKeysById(
    trx,
    uses.map((use) => use.key_id),
  )
  const ownerOf = new Map(keys.map((key) => [key.id, key.user_id]))
  const rows = uses.flatMap((use) => {
    const userId = ownerOf.get(use.key_id)
    return userId === undefined ? [] : [{ ...use, user_id: userId }]
  })
  if (rows.length === 0) return
  await trx.query
    .insertInto('key_daily_uses')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['key_id', 'day']).doUpdateSet((row) => ({
        exchanges: row('key_daily_uses.exchanges', '+', row.ref('excluded.exchanges')),
        refusals: row('key_daily_uses.refusals', '+', row.ref('excluded.refusals')),
      })),
    )
    .execute()
}

/** By day, from `day` on. */
export function findDailyUses(db: Queries, keyId: string, day: string): Promise<DailyUse[]> {
  return db.query
    .selectFrom('key_daily_uses')
    .selectAll()
    .where('key_id', '=', keyId)
    .where('day', '>=', day)
    .orderBy('day')
    .execute()
}

/** By key and day. */
export function findDailyUsesOfUser(
  db: Queries,
  userId: string,
  { after, limit }: Readonly<{ after: DailyUse | undefined; limit: number }>,
): Promise<DailyUse[]> {
  return db.query
    .selectFrom('key_daily_uses')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) => query.where(sql<boolean>`(key_id, day) > (${after?.key_id}, ${after?.day})`))
    .orderBy('key_id')
    .orderBy('day')
    .limit(limit)
    .execute()
}

/** Deletes a batch of earlier days. @returns rows deleted; fewer than `limit` when none are left */
export function deleteDailyUsesBefore(db: Queries, day: string, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'key_daily_uses',
    key: ['key_id', 'day'],
    orderedBy: 'day',
    where: (row) => row('day', '<', day),
    limit,
  })
}
