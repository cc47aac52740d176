import type { Selectable } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import { prepared, preparedWrite } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { MagicLinksTable } from '../../database/tables/tables.ts'

export type MagicLink = Selectable<MagicLinksTable>

export const insertLink = preparedWrite((query: QueryBuilder, link: RowParameters<MagicLink>) =>
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

// One lock order, and no other rows are touched afterwards: transactions that use or void links wait here and cannot
// deadlock. An address without an account has no user's row to lock.
const lockLinks = (query: QueryBuilder) =>
  query.selectFrom('magic_links').select('token_hash').orderBy('token_hash').forUpdate()

const lockLinksOf = preparedWrite((query: QueryBuilder, email: Parameter<string>) =>
  lockLinks(query).where('email', '=', email),
)

const lockLinksOfSameAddress = preparedWrite((query: QueryBuilder, tokenHash: Parameter<string>) =>
  lockLinks(query).where('email', '=', (one) =>
    one.selectFrom('magic_links as one').select('one.email').where('one.token_hash', '=', tokenHash),
  ),
)

async function deleteLinks(trx: Transaction, links: readonly Pick<MagicLink, 'token_hash'>[]): Promise<void> {
  const hashes = links.map((link) => link.token_hash)
  if (hashes.length > 0) await trx.query.deleteFrom('magic_links').where('token_hash', 'in', hashes).execute()
}

/** Voids all links of an address. Locks the rows it deletes. */
export async function deleteLinksOf(trx: Transaction, email: string): Promise<void> {
  await deleteLinks(trx, await lockLinksOf(trx, email))
}

const readLink = prepared((query: QueryBuilder, tokenHash: Parameter<string>, nowMs: Parameter<number>) =>
  query.selectFrom('magic_links').selectAll().where('token_hash', '=', tokenHash).where('expires_at_ms', '>', nowMs),
)

/** The unexpired link with this token hash. Reading it does not use it up. */
export async function findLink(db: Queries, tokenHash: string, nowMs: number): Promise<MagicLink | undefined> {
  return (await readLink(db, tokenHash, nowMs))[0]
}

const deleteLiveLink = preparedWrite((query: QueryBuilder, tokenHash: Parameter<string>, nowMs: Parameter<number>) =>
  query.deleteFrom('magic_links').where('token_hash', '=', tokenHash).where('expires_at_ms', '>', nowMs).returningAll(),
)

/**
 * Uses up a link and deletes the address's others. Of concurrent callers one gets it. Locks the rows it deletes.
 * @returns `undefined` when there is no unexpired link
 */
export async function consumeLink(trx: Transaction, tokenHash: string, nowMs: number): Promise<MagicLink | undefined> {
  const all = await lockLinksOfSameAddress(trx, tokenHash)
  const [link] = await deleteLiveLink(trx, tokenHash, nowMs)
  if (link !== undefined)
    await deleteLinks(
      trx,
      all.filter((other) => other.token_hash !== tokenHash),
    )
  return link
}
