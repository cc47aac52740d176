/** Calls that really meet: one by one over sockets, each is done before the next arrives. */
import { sql } from 'kysely'
import { isPostgres } from './triggers.ts'
import type { Service } from './service.ts'

/**
 * Holds the database until every call has arrived, and lets them go on together: from then on all
 * of them are at the same step at a time.
 * @param call makes one request to the service; `count` of them are made
 */
export async function atOnce<T>(
  { app, db }: Service,
  count: number,
  call: (index: number) => Promise<T>,
): Promise<T[]> {
  let arrived = 0
  const note = () => void arrived++
  app.server.on('request', note)
  const calls = await db.transaction(async (trx) => {
    // The embedded database has one connection, and this transaction has it.
    if (isPostgres(db)) await sql`lock table users, api_keys, magic_links, mail_buttons`.execute(trx)
    const started = Array.from({ length: count }, (_, index) => call(index))
    // Some turns more, for the bodies to be read.
    for (let more = 20; more > 0; more -= arrived < count ? 0 : 1) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    return started
  })
  app.server.off('request', note)
  return Promise.all(calls)
}
