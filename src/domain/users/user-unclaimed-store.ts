/** Queries on `users` that find unclaimed accounts, and whether they are used. */
import { sql } from 'kysely'
import type { SqlBool } from 'kysely'
import type { Queries, Transaction } from '../../database/database.ts'
import type { User } from './user-store.ts'

/** An unclaimed account, and whether it was used since the given time. */
export type Unclaimed = Readonly<Pick<User, 'id' | 'created_at_ms'> & { isUnused: boolean }>

/** A page of the unclaimed accounts created before a time, oldest first. Locks nothing. */
export async function findUnclaimedPage(
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
