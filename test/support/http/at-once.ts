/** Calls that really meet: one by one over sockets, each is done before the next arrives. */
import { sql } from 'kysely'
import { openAt } from '../database/database.ts'
import { isPostgres } from '../database/triggers.ts'
import type { Service } from '../service.ts'

/**
 * Holds the database until every call has arrived, and lets them go on together: from then on all
 * of them are at the same step at a time.
 * @param call makes one request to the service; `count` of them are made
 */
export async function atOnce<T>(
  { app, db, databaseUrl }: Service,
  count: number,
  call: (index: number) => Promise<T>,
): Promise<T[]> {
  let arrived = 0
  const note = () => void arrived++
  app.server.on('request', note)
  const holder = openAt(databaseUrl)
  const calls = await holder.transaction(async (trx) => {
    // Of the embedded database this transaction holds the one write lock.
    if (isPostgres(db)) await sql`lock table users, api_keys, magic_links, mail_buttons`.execute(trx.query)
    const started = Array.from({ length: count }, (_, index) => call(index))
    // Some turns more, for the bodies to be read.
    for (let more = 20; more > 0; more -= arrived < count ? 0 : 1) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    return started
  })
  await holder.close()
  app.server.off('request', note)
  return Promise.all(calls)
}
