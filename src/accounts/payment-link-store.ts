/** The payment_links table: every query on it. A link is always found together with what may hold it back. */
import { sql } from 'kysely'
import type { Selectable, SqlBool } from 'kysely'
import type { Db, DbTransaction } from '../db/db.ts'
import type { PaymentLinksTable } from '../db/payment-tables.ts'

/** A payment link's row. */
export type PaymentLinkRow = Selectable<PaymentLinksTable>

/** A payment link, and whether it is held back: made before the account was its owner's, by a key that waits for them, or of a disabled account. */
export type PaymentLink = PaymentLinkRow & Readonly<{ isHeld: boolean }>

/** What `status` can be asked for. */
export const paymentLinkStatuses = ['ACTIVE', 'INACTIVE', 'EXPIRED'] as const

/** Whether a payment link can be paid. */
export type PaymentLinkStatus = (typeof paymentLinkStatuses)[number]

/** A payment link's status at this time. */
export function statusOfPaymentLink(link: PaymentLink, nowMs: number): PaymentLinkStatus {
  if (link.deactivated_at_ms !== null || link.isHeld) return 'INACTIVE'
  return link.expires_at_ms !== null && link.expires_at_ms <= nowMs ? 'EXPIRED' : 'ACTIVE'
}

/** Adds a link. */
export async function insertPaymentLink(trx: DbTransaction, link: PaymentLinkRow): Promise<void> {
  await trx.insertInto('payment_links').values(link).execute()
}

/** Where a page of links ended: the next begins behind it. */
export type PaymentLinkPosition = Readonly<{ atMs: number; id: string }>

/** Which of the links are asked for. */
export type PaymentLinkQuery = Readonly<{
  after: PaymentLinkPosition | undefined
  limit: number
  nowMs: number
  status: PaymentLinkStatus | undefined
  reference: string | undefined
}>

/** The user's links, newest first, from behind a position. */
export async function findPaymentLinks(
  db: Db,
  userId: string,
  { after, limit, nowMs, status, reference }: PaymentLinkQuery,
): Promise<PaymentLink[]> {
  let query = select(db).where('payment_links.user_id', '=', userId)
  if (reference !== undefined) query = query.where('payment_links.reference', '=', reference)
  if (after !== undefined) {
    query = query
      // By itself, for databases that would not find where to begin in the index behind an OR.
      .where('payment_links.created_at_ms', '<=', after.atMs)
      .where((row) =>
        row.or([row('payment_links.created_at_ms', '<', after.atMs), row('payment_links.id', '<', after.id)]),
      )
  }
  if (status === 'INACTIVE') {
    query = query.where((row) => row.or([row('payment_links.deactivated_at_ms', 'is not', null), isHeld]))
  } else if (status !== undefined) {
    query = query
      .where('payment_links.deactivated_at_ms', 'is', null)
      .where((row) => row.not(isHeld))
      .where((row) =>
        status === 'EXPIRED'
          ? row('payment_links.expires_at_ms', '<=', nowMs)
          : row.or([row('payment_links.expires_at_ms', 'is', null), row('payment_links.expires_at_ms', '>', nowMs)]),
      )
  }
  const rows = await query
    .orderBy('payment_links.created_at_ms', 'desc')
    .orderBy('payment_links.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toPaymentLink)
}

// What our ids are made of.
const RECORD_ID = /^[\w-]{1,64}$/

/** The link with this id, whatever text that is. @param userId absent: whoever's it is */
export async function findPaymentLink(db: Db, id: string, userId?: string): Promise<PaymentLink | undefined> {
  // PostgreSQL fails at a NUL, and takes all lone surrogates for one sign.
  if (!RECORD_ID.test(id)) return undefined
  const query = select(db).where('payment_links.id', '=', id)
  const row = await (userId === undefined ? query : query.where('payment_links.user_id', '=', userId)).executeTakeFirst()
  return row && toPaymentLink(row)
}

/** Deactivates a link of the user, whom the caller has locked; one that is deactivated keeps its time. */
export async function deactivatePaymentLink(trx: DbTransaction, userId: string, id: string, nowMs: number): Promise<void> {
  await trx
    .updateTable('payment_links')
    .set({ deactivated_at_ms: nowMs })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('deactivated_at_ms', 'is', null)
    .execute()
}

/**
 * Deactivates some links that these keys made. The caller holds the lock of the keys' user.
 * @returns how many; fewer than `limit`: there were no more
 */
export async function deactivateLinksOfKeys(
  trx: DbTransaction,
  keyIds: readonly string[],
  nowMs: number,
  limit: number,
): Promise<number> {
  if (keyIds.length === 0) return 0
  const some = trx
    .selectFrom('payment_links as made')
    .select('made.id')
    .where('made.api_key_id', 'in', keyIds)
    .where('made.deactivated_at_ms', 'is', null)
    .limit(limit)
  const { numUpdatedRows } = await trx
    .updateTable('payment_links')
    .set({ deactivated_at_ms: nowMs })
    .where('id', 'in', some)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Takes all links of the user out. */
export async function deletePaymentLinksOfUser(trx: DbTransaction, userId: string): Promise<void> {
  await trx.deleteFrom('payment_links').where('user_id', '=', userId).execute()
}

function select(db: Db) {
  return db.selectFrom('payment_links').selectAll('payment_links').select(isHeld.as('is_held'))
}

// Without the owner's word for its key, a link from before the claim may be anybody's: also one whose key
// was revoked by whoever made both. By what the account was when it was made, not by two clocks. Each look
// is at one row: a join, or `exists`, PostgreSQL may answer by reading the other table whole.
const isHeld = sql<SqlBool>`(
  (select awaits_owner_at_ms from api_keys where api_keys.id = payment_links.api_key_id) is not null
  or (select disabled_at_ms from users where users.id = payment_links.user_id) is not null
  or (
    payment_links.claimed_at_ms is null
    and (select claimed_at_ms from users where users.id = payment_links.user_id) is not null
    and (select how from key_makers where key_id = payment_links.api_key_id and how = 'kept' limit 1) is null
  )
)`

function toPaymentLink({ is_held: held, ...row }: PaymentLinkRow & Readonly<{ is_held: SqlBool }>): PaymentLink {
  return { ...row, isHeld: Boolean(held) }
}
