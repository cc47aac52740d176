import type { Selectable } from 'kysely'
import { nextTurn } from '../lib/clock.ts'
import type { Queries } from './database.ts'
import type { Tables } from './tables/tables.ts'

const PAGE = 500

type UniqueColumn = Readonly<{
  users: 'id'
  api_keys: 'id'
  payment_links: 'id'
  mail_pauses: 'email'
  revoked_keys: 'id'
  address_changes: 'id'
}>

/**
 * @param column unique and indexed
 * @param work may change the rows, except for that column
 */
export async function forEachPage<T extends keyof UniqueColumn>(
  db: Queries,
  table: T,
  column: UniqueColumn[T],
  work: (rows: readonly Selectable<Tables[T]>[]) => Promise<void>,
): Promise<void> {
  for (let after = ''; ;) {
    // The cast to one table satisfies Kysely's types; every listed column is a text.
    const page = await db.query
      .selectFrom(table as 'users')
      .selectAll()
      .where(column as 'id', '>', after)
      .orderBy(column as 'id')
      .limit(PAGE)
      .execute()
    if (page.length > 0) await work(page as unknown as Selectable<Tables[T]>[])
    if (page.length < PAGE) return
    // Yields to the event loop: the embedded database answers synchronously, so progress output and other work would
    // starve.
    await nextTurn()
    after = page.at(-1)?.[column as 'id'] ?? ''
  }
}
