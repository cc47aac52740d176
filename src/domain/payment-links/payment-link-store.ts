/** All queries on `payment_links`. Every read includes whether the link is held. */
import { sql } from 'kysely'
import type { RawBuilder, Selectable, SqlBool } from 'kysely'
import type { Queries, Transaction } from '../../database/database.ts'
import type { PaymentLinksTable } from '../../database/tables/payment-tables.ts'
import type { Position } from '../../lib/position.ts'

export type PaymentLinkRow = Selectable<PaymentLinksTable>

/** `isHeld`: created before the owner's claim, by a key that awaits the owner, or by a disabled account. */
export type PaymentLink = PaymentLinkRow & Readonly<{ isHeld: boolean }>

export const paymentLinkStatuses = ['ACTIVE', 'INACTIVE', 'EXPIRED'] as const

export type PaymentLinkStatus = (typeof paymentLinkStatuses)[number]

export function statusOfPaymentLink(link: PaymentLink, nowMs: number): PaymentLinkStatus {
  if (link.deactivated_at_ms !== null || link.isHeld) return 'INACTIVE'
  return link.expires_at_ms !== null && link.expires_at_ms <= nowMs ? 'EXPIRED' : 'ACTIVE'
}

export async function insertPaymentLink(trx: Transaction, link: PaymentLinkRow): Promise<void> {
  await trx.query.insertInto('payment_links').values(link).execute()
}

export type PaymentLinkQuery = Readonly<{
  after: Position | undefined
  limit: number
  nowMs: number
  status: PaymentLinkStatus | undefined
  reference: string | undefined
}>

/** `next` is undefined on the last page. */
export type PaymentLinkPage = Readonly<{ links: PaymentLink[]; next: Position | undefined }>

/**
 * Links that one page of a status reads at most. No index finds links by status: it depends on the time, the key and
 * the account (docs/decisions/0028).
 */
export const MAX_LINKS_READ = 1000

/** Newest first, after a position. A page of one status may have fewer links than `limit`, or none. */
export async function findPaymentLinks(db: Queries, userId: string, query: PaymentLinkQuery): Promise<PaymentLinkPage> {
  const { limit, nowMs, status } = query
  // Found first, in the index alone: this bounds the rows that are read, whatever the planner chooses.
  const last = status === undefined ? undefined : await findLastLookedAt(db, userId, query)
  const isHeld = isHeldOf(sql`${userId}`)
  let page = inOrder(db, userId, query, last)
    .selectAll('payment_links')
    .select(isHeld.as('is_held'))
    .limit(limit + 1)
  if (status === 'INACTIVE') {
    page = page.where((row) => row.or([row('payment_links.deactivated_at_ms', 'is not', null), isHeld]))
  } else if (status !== undefined) {
    page = page
      .where('payment_links.deactivated_at_ms', 'is', null)
      .where((row) =>
        status === 'EXPIRED'
          ? row('payment_links.expires_at_ms', '<=', nowMs)
          : row.or([row('payment_links.expires_at_ms', 'is', null), row('payment_links.expires_at_ms', '>', nowMs)]),
      )
      .where((row) => row.not(isHeld))
  }
  const found = await page.execute()
  const links = found.slice(0, limit).map(toPaymentLink)
  return { links, next: found.length > limit ? positionOf(links.at(-1)) : last }
}

const NEWEST: Position = { atMs: Number.MAX_SAFE_INTEGER, id: '' }
const OLDEST: Position = { atMs: 0, id: '' }

// Compared as a row value: behind an OR, databases do not start their index scan at the position. It includes the
// reference, to use that index: any number of other links can be between two links of one reference.
function inOrder(
  db: Queries,
  userId: string,
  { after = NEWEST, reference }: PaymentLinkQuery,
  last: Position = OLDEST,
) {
  const [field, value] = reference === undefined ? [sql``, sql``] : [sql`reference, `, sql`${reference}, `]
  const position = sql`(${field}created_at_ms, payment_links.id)`
  return db.query
    .selectFrom('payment_links')
    .where('payment_links.user_id', '=', userId)
    .where(sql<SqlBool>`${position} < (${value}${after.atMs}, ${after.id})`)
    .where(sql<SqlBool>`${position} >= (${value}${last.atMs}, ${last.id})`)
    .$if(reference !== undefined, (query) => query.orderBy('reference', 'desc'))
    .orderBy('created_at_ms', 'desc')
    .orderBy('payment_links.id', 'desc')
}

async function findLastLookedAt(db: Queries, userId: string, query: PaymentLinkQuery): Promise<Position | undefined> {
  const row = await inOrder(db, userId, query)
    .select(['payment_links.created_at_ms', 'payment_links.id'])
    .limit(1)
    .offset(MAX_LINKS_READ - 1)
    .executeTakeFirst()
  return positionOf(row)
}

function positionOf(link: Pick<PaymentLinkRow, 'created_at_ms' | 'id'> | undefined): Position | undefined {
  return link && { atMs: link.created_at_ms, id: link.id }
}

/** Counts the account's links since a time, up to `limit`. */
export async function countPaymentLinks(db: Queries, userId: string, sinceMs: number, limit: number): Promise<number> {
  const { count } = await db.query
    .with('some_links', (some) =>
      some
        .selectFrom('payment_links')
        .select('id')
        .where('user_id', '=', userId)
        .where('created_at_ms', '>=', sinceMs)
        .limit(limit),
    )
    .selectFrom('some_links')
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const RECORD_ID = /^[\w-]{1,64}$/

/** `id` may be any text. Finds no link of a deleted account. @param userId absent: of any user */
export async function findPaymentLink(db: Queries, id: string, userId?: string): Promise<PaymentLink | undefined> {
  // PostgreSQL fails on NUL, and cannot tell lone surrogates apart.
  if (!RECORD_ID.test(id)) return undefined
  const ownerId = sql.ref<string>('payment_links.user_id')
  const query = db.query
    .selectFrom('payment_links')
    .selectAll('payment_links')
    .select(isHeldOf(ownerId).as('is_held'))
    .where('payment_links.id', '=', id)
    .where(sql`(select deleted_at_ms from users where users.id = ${ownerId})`, 'is', null)
  const row = await (
    userId === undefined ? query : query.where('payment_links.user_id', '=', userId)
  ).executeTakeFirst()
  return row && toPaymentLink(row)
}

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

// Unless the owner kept its key, a link from before the claim may be anybody's, even if its maker has revoked the key.
// This depends on the account's state when the link was created, not on comparing two clocks. The subqueries read one
// row each: PostgreSQL may answer a join or `exists` by reading the whole other table.
const isHeldOf = (ownerId: RawBuilder<string>) => sql<SqlBool>`(
  (select awaits_owner_at_ms from api_keys where api_keys.id = payment_links.api_key_id) is not null
  or (select disabled_at_ms from users where users.id = ${ownerId}) is not null
  or (
    payment_links.claimed_at_ms is null
    and (select claimed_at_ms from users where users.id = ${ownerId}) is not null
    and (select how from key_makers where key_id = payment_links.api_key_id and how = 'kept' limit 1) is null
  )
)`

function toPaymentLink({ is_held: held, ...row }: PaymentLinkRow & Readonly<{ is_held: SqlBool }>): PaymentLink {
  return { ...row, isHeld: Boolean(held) }
}
