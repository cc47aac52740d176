/** The magic_links table: every query on it. */
import type { Selectable } from 'kysely'
import type { Db, DbTransaction, MagicLinksTable } from '../db/db.ts'

/** A magic link that is out. */
export type MagicLink = Selectable<MagicLinksTable>

/** Adds a link. */
export async function insertLink(trx: DbTransaction, link: MagicLink): Promise<void> {
  await trx.insertInto('magic_links').values(link).execute()
}

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

/** Voids every link of an address. Locks the rows it deletes. */
export async function deleteLinksOf(trx: DbTransaction, email: string): Promise<void> {
  await trx.deleteFrom('magic_links').where('email', '=', email).execute()
}

/** The live link with this token hash; reading it uses nothing up. */
export function findLink(db: Db, tokenHash: string, nowMs: number): Promise<MagicLink | undefined> {
  return db
    .selectFrom('magic_links')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .where('expires_at_ms', '>', nowMs)
    .executeTakeFirst()
}

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
  const link = await trx
    .deleteFrom('magic_links')
    .where('token_hash', '=', tokenHash)
    .where('expires_at_ms', '>', nowMs)
    .returningAll()
    .executeTakeFirst()
  if (link !== undefined) await deleteLinksOf(trx, link.email)
  return link
}
