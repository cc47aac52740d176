/** The magic_links table: every query on it. */
import type { Selectable } from 'kysely'
import { compiledOnce } from '../db/compiled-once.ts'
import type { Db, DbTransaction, MagicLinksTable } from '../db/db.ts'

/** A magic link that is out. */
export type MagicLink = Selectable<MagicLinksTable>

/** Adds a link. */
export const insertLink = compiledOnce((trx: DbTransaction, link: MagicLink) => trx.insertInto('magic_links').values(link))

/**
 * Takes some links out that nobody used in time, as `deleteEventsBefore` does.
 * @returns how many; fewer than `limit`: there were no more
 */
export async function deleteExpiredLinks(db: Db, nowMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .with('expired_links', (expired) =>
      expired
        .selectFrom('magic_links')
        .select('token_hash')
        .where('expires_at_ms', '<=', nowMs)
        .orderBy('expires_at_ms')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('magic_links')
    .where('token_hash', 'in', (expired) => expired.selectFrom('expired_links').select('token_hash'))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The links of an address that are out. */
export function findLinksOf(db: Db, email: string): Promise<MagicLink[]> {
  return db.selectFrom('magic_links').selectAll().where('email', '=', email).execute()
}

// In one order, and no others are touched afterwards: whoever uses links up or voids them waits here, and never in
// a circle. Of an address that has no account there is no user's row to wait at.
const lockLinks = (trx: DbTransaction) =>
  trx.selectFrom('magic_links').select('token_hash').orderBy('token_hash').forUpdate()

const lockLinksOf = compiledOnce((trx: DbTransaction, email: string) => lockLinks(trx).where('email', '=', email))

const lockLinksBeside = compiledOnce((trx: DbTransaction, tokenHash: string) =>
  lockLinks(trx).where('email', '=', (one) =>
    one.selectFrom('magic_links as one').select('one.email').where('one.token_hash', '=', tokenHash),
  ),
)

async function deleteLinks(trx: DbTransaction, links: readonly Pick<MagicLink, 'token_hash'>[]): Promise<void> {
  const hashes = links.map((link) => link.token_hash)
  if (hashes.length > 0) await trx.deleteFrom('magic_links').where('token_hash', 'in', hashes).execute()
}

/** Voids every link of an address. Locks the rows it deletes. */
export async function deleteLinksOf(trx: DbTransaction, email: string): Promise<void> {
  await deleteLinks(trx, await lockLinksOf(trx, email))
}

const readLink = compiledOnce((db: Db, tokenHash: string, nowMs: number) =>
  db.selectFrom('magic_links').selectAll().where('token_hash', '=', tokenHash).where('expires_at_ms', '>', nowMs),
)

/** The live link with this token hash; reading it uses nothing up. */
export async function findLink(db: Db, tokenHash: string, nowMs: number): Promise<MagicLink | undefined> {
  return (await readLink(db, tokenHash, nowMs))[0]
}

const deleteLiveLink = compiledOnce((trx: DbTransaction, tokenHash: string, nowMs: number) =>
  trx
    .deleteFrom('magic_links')
    .where('token_hash', '=', tokenHash)
    .where('expires_at_ms', '>', nowMs)
    .returningAll(),
)

/**
 * Uses a live link up: of any number of callers at once, one gets it. The address's other links go
 * with it. Locks the rows it deletes.
 * @returns the link, or `undefined` where there is none to use
 */
export async function consumeLink(
  trx: DbTransaction,
  tokenHash: string,
  nowMs: number,
): Promise<MagicLink | undefined> {
  const all = await lockLinksBeside(trx, tokenHash)
  const [link] = await deleteLiveLink(trx, tokenHash, nowMs)
  if (link !== undefined) await deleteLinks(trx, all.filter((other) => other.token_hash !== tokenHash))
  return link
}
