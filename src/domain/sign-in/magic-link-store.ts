/** The magic_links table: every query on it. */
import type { Selectable } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import { prepared, preparedWrite } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { MagicLinksTable } from '../../database/tables/tables.ts'

/** A magic link that is out. */
export type MagicLink = Selectable<MagicLinksTable>

/** Adds a link. */
export const insertLink = preparedWrite((query: QueryBuilder, link: RowParameters<MagicLink>) =>
  query.insertInto('magic_links').values(link),
)

/** Deletes a batch of expired links. @returns how many; fewer than `limit`: there were no more */
export function deleteExpiredLinks(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'magic_links',
    key: ['token_hash'],
    orderedBy: 'expires_at_ms',
    where: (row) => row('expires_at_ms', '<=', nowMs),
    limit,
  })
}

/** The links of an address that are out. */
export function findLinksOf(db: Queries, email: string): Promise<MagicLink[]> {
  return db.query.selectFrom('magic_links').selectAll().where('email', '=', email).execute()
}

// In one order, and no others are touched afterwards: whoever uses links up or voids them waits here, and never in
// a circle. Of an address that has no account there is no user's row to wait at.
const lockLinks = (query: QueryBuilder) =>
  query.selectFrom('magic_links').select('token_hash').orderBy('token_hash').forUpdate()

const lockLinksOf = preparedWrite((query: QueryBuilder, email: Parameter<string>) =>
  lockLinks(query).where('email', '=', email),
)

const lockLinksBeside = preparedWrite((query: QueryBuilder, tokenHash: Parameter<string>) =>
  lockLinks(query).where('email', '=', (one) =>
    one.selectFrom('magic_links as one').select('one.email').where('one.token_hash', '=', tokenHash),
  ),
)

async function deleteLinks(trx: Transaction, links: readonly Pick<MagicLink, 'token_hash'>[]): Promise<void> {
  const hashes = links.map((link) => link.token_hash)
  if (hashes.length > 0) await trx.query.deleteFrom('magic_links').where('token_hash', 'in', hashes).execute()
}

/** Voids every link of an address. Locks the rows it deletes. */
export async function deleteLinksOf(trx: Transaction, email: string): Promise<void> {
  await deleteLinks(trx, await lockLinksOf(trx, email))
}

const readLink = prepared((query: QueryBuilder, tokenHash: Parameter<string>, nowMs: Parameter<number>) =>
  query.selectFrom('magic_links').selectAll().where('token_hash', '=', tokenHash).where('expires_at_ms', '>', nowMs),
)

/** The live link with this token hash; reading it uses nothing up. */
export async function findLink(db: Queries, tokenHash: string, nowMs: number): Promise<MagicLink | undefined> {
  return (await readLink(db, tokenHash, nowMs))[0]
}

const deleteLiveLink = preparedWrite((query: QueryBuilder, tokenHash: Parameter<string>, nowMs: Parameter<number>) =>
  query.deleteFrom('magic_links').where('token_hash', '=', tokenHash).where('expires_at_ms', '>', nowMs).returningAll(),
)

/**
 * Uses a live link up: of any number of callers at once, one gets it. The address's other links go
 * with it. Locks the rows it deletes.
 * @returns the link, or `undefined` where there is none to use
 */
export async function consumeLink(trx: Transaction, tokenHash: string, nowMs: number): Promise<MagicLink | undefined> {
  const all = await lockLinksBeside(trx, tokenHash)
  const [link] = await deleteLiveLink(trx, tokenHash, nowMs)
  if (link !== undefined)
    await deleteLinks(
      trx,
      all.filter((other) => other.token_hash !== tokenHash),
    )
  return link
}
