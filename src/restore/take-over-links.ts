import type { Selectable } from 'kysely'
import type { PaymentLinksTable } from '../database/tables/payment-tables.ts'
import { deactivatePaymentLink } from '../domain/payment-links/payment-link-end-store.ts'
import { wasById } from './take-over.ts'
import type { TakeOver } from './take-over.ts'

/**
 * Takes over deactivations. A link that is unknown there, and so old that it may have ended and been deleted, is
 * deactivated.
 */
export async function takeOverLinks(
  takeOver: TakeOver,
  links: readonly Selectable<PaymentLinksTable>[],
): Promise<void> {
  const active = links.filter(({ deactivated_at_ms: atMs }) => atMs === null)
  const before = await wasById<Selectable<PaymentLinksTable>>(takeOver, 'payment_links', active)
  const owners = await ownersKnownThere(
    takeOver,
    active.filter(({ id }) => !before.has(id)),
  )
  for (const { id, user_id: userId, created_at_ms: createdAtMs } of active) {
    const mayBeDeleted =
      owners.has(userId) && !before.has(id) && createdAtMs < takeOver.nowMs - takeOver.paymentLinkRetentionMs
    const deactivatedAtMs = mayBeDeleted ? takeOver.nowMs : (before.get(id)?.deactivated_at_ms ?? null)
    if (deactivatedAtMs === null) continue
    await deactivatePaymentLink(takeOver.trx, userId, id, deactivatedAtMs)
    takeOver.done.paymentLinksDeactivated += 1
  }
}

async function ownersKnownThere(
  { replaced }: TakeOver,
  links: readonly Selectable<PaymentLinksTable>[],
): Promise<Set<string>> {
  if (replaced === undefined || links.length === 0) return new Set()
  const ids = [...new Set(links.map((link) => link.user_id))]
  const users = await replaced.query.selectFrom('users').select('id').where('id', 'in', ids).execute()
  return new Set(users.map(({ id }) => id))
}
