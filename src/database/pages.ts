/** All rows of a table, a few hundred at a time, in the order of one unique column. */
import type { Selectable } from 'kysely'
import { nextTurn } from '../lib/clock.ts'
import type { Queries } from './database.ts'
import type { Tables } from './tables/tables.ts'

/** How many rows are in memory, and in a statement, at a time. */
const PAGE = 500

type UniqueColumn = Readonly<{ users: 'id'; api_keys: 'id'; payment_links: 'id'; mail_pauses: 'email' }>

/**
 * Gives every row to `work`, which may change them, but not that column.
 * @param column which is unique and indexed
 */
export async function inPages<T extends keyof UniqueColumn>(
  db: Queries,
  table: T,
  column: UniqueColumn[T],
  work: (rows: readonly Selectable<Tables[T]>[]) => Promise<void>,
): Promise<void> {
  for (let after = ''; ;) {
    const page = await db.query // One of them stands for all in the types: each has its column, a text.
      .selectFrom(table as 'users')
      .selectAll()
      .where(column as 'id', '>', after)
      .orderBy(column as 'id')
      .limit(PAGE)
      .execute()
    if (page.length > 0) await work(page as unknown as Selectable<Tables[T]>[])
    if (page.length < PAGE) return
    // The embedded database answers at once: without it nothing else, progress among it, would ever have a turn.
    await nextTurn()
    after = page.at(-1)?.[column as 'id'] ?? ''
  }
}
