/** Queries on `payment_links`. Every read includes whether the link is held. */
import { sql } from 'kysely'
import type { RawBuilder, Selectable, SqlBool } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { prepared } from '../../database/prepared.ts'
import type { Parameter } from '../../database/prepared.ts'
import type { PaymentLinksTable } from '../../database/tables/payment-tables.ts'
import { isRecordId } from '../../database/record-id.ts'
import type { Position } from '../../lib/position.ts'
import { findMatching } from './link-search.ts'

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
  search: string | undefined
}>

/** `next` is undefined on the last page. */
export type PaymentLinkPage = Readonly<{ links: PaymentLink[]; next: Position | undefined }>

/**
 * Links that one page of a status or a search reads at most. No index finds links by status, which depends on the time,
 * the key and the account (docs/decisions/0028), and none finds a part of a word (docs/decisions/0053).
 */
export const MAX_LINKS_READ = 1000

/** Newest first, after a position. A page of a status or a search may have fewer links than `limit`, or none. */
export async function findPaymentLinks(db: Queries, userId: string, query: PaymentLinkQuery): Promise<PaymentLinkPage> {
  const { limit, nowMs, status, search } = query
  // Found first, in the index alone: this bounds the rows that are read, whatever the planner chooses.
  const isFiltered = status !== undefined || search !== undefined
  const last = isFiltered ? await findScanEnd(db, userId, query) : undefined
  const isHeld = isHeldOf(sql`${userId}`)
  let page = inOrder(db, userId, query, last)
    .selectAll('payment_links')
    .select(isHeld.as('is_held'))
    .$if(search === undefined, (rows) => rows.limit(limit + 1))
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
  const rows = await page.execute()
  const { found, compared } =
    search === undefined
      ? { found: rows.slice(0, limit), compared: Math.min(rows.length, limit) }
      : findMatching(rows, search, limit)
  // Remaining rows are on the next page, which starts after the last compared one.
  return { links: found.map(toPaymentLink), next: compared < rows.length ? positionOf(rows[compared - 1]) : last }
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

async function findScanEnd(db: Queries, userId: string, query: PaymentLinkQuery): Promise<Position | undefined> {
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

/** `id` may be any text. Finds no link of a deleted account. @param userId absent: of any user */
export async function findPaymentLink(db: Queries, id: string, userId?: string): Promise<PaymentLink | undefined> {
  if (!isRecordId(id)) return undefined
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

/** A payment link with what its payer may know of the person who asks. */
export type RequestedPayment = PaymentLink & Readonly<{ requesterName: string | null; isRequesterProven: boolean }>

/** `id` may be any text. Finds no link of a deleted account. */
export async function findRequestedPayment(db: Queries, id: string): Promise<RequestedPayment | undefined> {
  if (!isRecordId(id)) return undefined
  const [row] = await readRequestedPayment(db, id)
  if (row === undefined) return undefined
  const { requester_name: requesterName, requester_claimed_at_ms: claimedAtMs, ...link } = row
  return { ...toPaymentLink(link), requesterName, isRequesterProven: claimedAtMs !== null }
}

const readRequestedPayment = prepared((query: QueryBuilder, id: Parameter<string>) => {
  const ownerId = sql.ref<string>('payment_links.user_id')
  const ofOwner = <T>(column: string) => sql<T>`(select ${sql.ref(column)} from users where users.id = ${ownerId})`
  return query
    .selectFrom('payment_links')
    .selectAll('payment_links')
    .select([
      isHeldOf(ownerId).as('is_held'),
      ofOwner<string | null>('name').as('requester_name'),
      ofOwner<number | null>('claimed_at_ms').as('requester_claimed_at_ms'),
    ])
    .where('payment_links.id', '=', id)
    .where(ofOwner('deleted_at_ms'), 'is', null)
})

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
