/** Queries on `payment_links` that end links, and that find and delete those that ended. */
import { sql } from 'kysely'
import type { Queries, Transaction } from '../../database/database.ts'
import type { PaymentLinkRow } from './payment-link-store.ts'

/** The caller has locked the user. A deactivated link keeps its time. */
export async function deactivatePaymentLink(
  trx: Transaction,
  userId: string,
  id: string,
  nowMs: number,
): Promise<void> {
  await trx.query
    .updateTable('payment_links')
    .set({ deactivated_at_ms: nowMs })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deactivated_at_ms', 'is', null)
    .execute()
}

/**
 * Deactivates a batch of links created by these keys. The caller holds the lock of the keys' user.
 * @returns rows changed; fewer than `limit` when none are left
 */
export async function deactivateLinksOfKeys(
  trx: Transaction,
  keyIds: readonly string[],
  nowMs: number,
  limit: number,
): Promise<number> {
  if (keyIds.length === 0) return 0
  const some = trx.query
    .selectFrom('payment_links as made')
    .select('made.id')
    .where('made.api_key_id', 'in', keyIds)
    .where('made.deactivated_at_ms', 'is', null)
    .limit(limit)
  const { numUpdatedRows } = await trx.query
    .updateTable('payment_links')
    .set({ deactivated_at_ms: nowMs })
    .where('id', 'in', some)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Up to `limit` links that were deactivated or expired before a time, those that ended first. Locks nothing. */
export function findEndedLinks(
  db: Queries,
  beforeMs: number,
  limit: number,
): Promise<Pick<PaymentLinkRow, 'id' | 'user_id'>[]> {
  const endedAtMs = sql<number>`coalesce(deactivated_at_ms, expires_at_ms)`
  return db.query
    .selectFrom('payment_links')
    .select(['id', 'user_id'])
    .where(endedAtMs, '<', beforeMs)
    .orderBy(endedAtMs)
    .limit(limit)
    .execute()
}

/** The caller holds the lock of the links' user. @returns those that were there */
export function deletePaymentLinks(
  trx: Transaction,
  ids: readonly string[],
): Promise<Pick<PaymentLinkRow, 'api_key_id' | 'claimed_at_ms'>[]> {
  return trx.query
    .deleteFrom('payment_links')
    .where('id', 'in', ids)
    .returning(['api_key_id', 'claimed_at_ms'])
    .execute()
}
