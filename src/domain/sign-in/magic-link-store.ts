import type { Expression, Selectable } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import { preparedInTransaction, preparedRow } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { MagicLinksTable } from '../../database/tables/tables.ts'

export type MagicLink = Selectable<MagicLinksTable>

export const insertLink = preparedInTransaction((query: QueryBuilder, link: RowParameters<MagicLink>) =>
  query.insertInto('magic_links').values(link),
)

/** Deletes a batch of expired links. @returns rows deleted; fewer than `limit` when none are left */
export function deleteExpiredLinks(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'magic_links',
    key: ['token_hash'],
    orderedBy: 'expires_at_ms',
    where: (row) => row('expires_at_ms', '<=', nowMs),
    limit,
  })
}

export function findLinksOf(db: Queries, email: string): Promise<MagicLink[]> {
  return db.query.selectFrom('magic_links').selectAll().where('email', '=', email).execute()
}

// Locked in one order, and no other rows are touched afterwards: transactions that use or void links wait here and
// cannot deadlock. An address without an account has no user's row to lock.
const deleteLinks = (query: QueryBuilder, email: Expression<string | null>) =>
  query
    .with('links', (links) =>
      links.selectFrom('magic_links').select('token_hash').where('email', '=', email).orderBy('token_hash').forUpdate(),
    )
    .deleteFrom('magic_links')
    .where('token_hash', 'in', (link) => link.selectFrom('links').select('token_hash'))

const deleteAllLinks = preparedInTransaction((query: QueryBuilder, email: Parameter<string>) =>
  deleteLinks(query, email),
)

/** Voids all links of an address. Locks the rows it deletes. */
export async function deleteLinksOf(trx: Transaction, email: string): Promise<void> {
  await deleteAllLinks(trx, email)
}

/** The unexpired link with this token hash. Reading it does not use it up. */
export const findLink = preparedRow((query: QueryBuilder, tokenHash: Parameter<string>, nowMs: Parameter<number>) =>
  query.selectFrom('magic_links').selectAll().where('token_hash', '=', tokenHash).where('expires_at_ms', '>', nowMs),
)

const deleteLinksOfSameAddress = preparedInTransaction(
  (query: QueryBuilder, tokenHash: Parameter<string>, nowMs: Parameter<number>) => {
    const email = query
      .selectFrom('magic_links as one')
      .select('one.email')
      .where('one.token_hash', '=', tokenHash)
      .where('one.expires_at_ms', '>', nowMs)
      .$asScalar()
    return deleteLinks(query, email).returning('token_hash')
  },
)

/**
 * Uses up a link and deletes the address's others. Of concurrent callers one gets it. Locks the rows it deletes.
 * @returns false when there is no unexpired link
 */
export async function consumeLink(trx: Transaction, tokenHash: string, nowMs: number): Promise<boolean> {
  const deleted = await deleteLinksOfSameAddress(trx, tokenHash, nowMs)
  return deleted.some((link) => link.token_hash === tokenHash)
}
