/** Concurrent calls that really overlap: over sockets, one call usually finishes before the next arrives. */
import { sql } from 'kysely'
import { openAt } from '../database/database.ts'
import { isPostgres } from '../database/triggers.ts'
import type { Service } from '../service.ts'

/** Locks the database until all `count` calls have arrived, then releases it, so that they run in step. */
export async function runInLockstep<T>(
  { app, db, databaseUrl }: Service,
  count: number,
  call: (index: number) => Promise<T>,
): Promise<T[]> {
  let arrived = 0
  const note = () => void arrived++
  app.server.on('request', note)
  const holder = openAt(databaseUrl)
  const calls = await holder.transaction(async (trx) => {
    // On SQLite this transaction holds the only write lock.
    if (isPostgres(db)) await sql`lock table users, api_keys, magic_links, mail_buttons`.execute(trx.query)
    const started = Array.from({ length: count }, (_, index) => call(index))
    // A few more turns, so that the bodies are read.
    for (let more = 20; more > 0; more -= arrived < count ? 0 : 1) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    return started
  })
  await holder.close()
  app.server.off('request', note)
  return Promise.all(calls)
}
