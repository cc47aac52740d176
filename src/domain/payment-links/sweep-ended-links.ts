import type { Database, Transaction } from '../../database/database.ts'
import { nextTurn } from '../../lib/clock.ts'
import { deleteUnneededKept } from '../keys/key-maker-store.ts'
import { restBetweenBatches } from '../rest-between-batches.ts'
import { lockUser, setPaymentLinkCount } from '../users/user-store.ts'
import { deletePaymentLinks, findEndedLinks } from './payment-link-end-store.ts'

const LINKS_AT_ONCE = 40

/** Deletes payment links that were deactivated or expired before a time, in short transactions. */
export async function sweepEndedLinks(db: Database, beforeMs: number, stopping: AbortSignal): Promise<void> {
  while (!stopping.aborted) {
    const links = await findEndedLinks(db, beforeMs, LINKS_AT_ONCE)
    let deleted = 0
    for (const [userId, own] of Map.groupBy(links, (link) => link.user_id)) {
      if (stopping.aborted) return
      const ids = own.map(({ id }) => id)
      deleted += await db.transaction((trx) => deleteLinksOf(trx, userId, ids))
      await nextTurn()
    }
    // Links of a deleted account are left to its erasure.
    if (deleted === 0) return
    await restBetweenBatches(stopping)
  }
}

async function deleteLinksOf(trx: Transaction, userId: string, ids: readonly string[]): Promise<number> {
  const user = await lockUser(trx, 'id', userId)
  if (user === undefined) return 0
  const deleted = await deletePaymentLinks(trx, ids)
  // Links from before the claim do not count for the owner.
  const counted = deleted.filter((link) => user.claimed_at_ms === null || link.claimed_at_ms !== null).length
  if (user.payment_link_count !== null && counted > 0)
    await setPaymentLinkCount(trx, userId, Math.max(0, user.payment_link_count - counted))
  const keyIds = new Set(deleted.flatMap((link) => (link.api_key_id === null ? [] : [link.api_key_id])))
  await deleteUnneededKept(trx, [...keyIds])
  return deleted.length
}
