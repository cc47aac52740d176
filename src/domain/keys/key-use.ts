/** When keys were last used: kept in memory and written behind, so that an exchange waits for no write. */
import type { Database } from '../../database/database.ts'
import { nextTurn } from '../../lib/clock.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { repeat } from '../../lib/repeat.ts'
import { recordKeyUses } from './key-store.ts'

/** At most one write a key in this time, in milliseconds. */
const WRITE_EVERY_MS = 60_000

/** How many are written in one transaction. */
const BATCH = 100

/** Notes uses of keys, and writes them behind. */
export type KeyUse = Readonly<{
  /** The key (record id) was used now. */
  note(apiKeyId: string): void
  /** Writes what is noted and not written yet. */
  flush(): Promise<void>
  /** Writes for the last time; further uses are noted and lost. */
  close(): Promise<void>
}>

/** Starts writing behind, once a minute. */
export function createKeyUse(db: Database, clock: Clock, log: Log): KeyUse {
  const usedAtMs = new Map<string, number>()

  async function flush(): Promise<void> {
    const uses = [...usedAtMs].toSorted(([one], [other]) => (one < other ? -1 : 1))
    usedAtMs.clear()
    for (let done = 0; done < uses.length; done += BATCH) {
      if (done > 0) await nextTurn()
      await db.transaction((trx) => recordKeyUses(trx, new Map(uses.slice(done, done + BATCH))))
    }
  }

  // A use that cannot be written is lost, not retried: it is a convenience, and the next one is as good.
  const flushOrLog = () => flush().catch((err: unknown) => log.warn({ err }, 'key use not written'))

  const repeated = repeat(WRITE_EVERY_MS, flushOrLog)

  return {
    note: (apiKeyId) => void usedAtMs.set(apiKeyId, clock.now()),
    flush,
    async close() {
      await repeated.stop()
      // What was noted while the last write was under way is still to be written.
      await flushOrLog()
    },
  }
}
