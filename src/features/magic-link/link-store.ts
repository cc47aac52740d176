/** The magic_links table: every query on it. */
import type { Selectable } from 'kysely'
import type { Db, DbTransaction, MagicLinksTable } from '../../db/db.ts'

/** A magic link that is out. */
export type MagicLink = Selectable<MagicLinksTable>

/** Adds a link, and takes some expired ones out, so that unused links do not pile up. */
export async function insertLink(trx: DbTransaction, link: MagicLink, nowMs: number): Promise<void> {
  const expired = trx
    .selectFrom('magic_links')
    .select('token_hash')
    .where('expires_at_ms', '<=', nowMs)
    .limit(100)
  await trx.deleteFrom('magic_links').where('token_hash', 'in', expired).execute()
  await trx.insertInto('magic_links').values(link).execute()
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
  if (link !== undefined) {
    await trx.deleteFrom('magic_links').where('email', '=', link.email).execute()
  }
  return link
}
