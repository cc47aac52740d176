/** Last use of keys: held in memory and written asynchronously, so that an exchange waits for no write. */
import type { Database } from '../../database/database.ts'
import { nextTurn } from '../../lib/clock.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { repeat } from '../../lib/repeat.ts'
import { recordKeyUses } from './key-store.ts'

/** At most one write per key in this time. */
const WRITE_EVERY_MS = 60_000

const BATCH = 100

export type KeyUse = Readonly<{
  note(apiKeyId: string): void
  flush(): Promise<void>
  /** Stops the timer and writes what is pending; later uses are lost. */
  close(): Promise<void>
}>

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

  // A use that cannot be written is dropped, not retried: it is informational, and the next one replaces it.
  const flushOrLog = () => flush().catch((err: unknown) => log.warn({ err }, 'key use not written'))

  const repeated = repeat(WRITE_EVERY_MS, flushOrLog)

  return {
    note: (apiKeyId) => void usedAtMs.set(apiKeyId, clock.now()),
    flush,
    async close() {
      await repeated.stop()
      // Uses noted during the last write.
      await flushOrLog()
    },
  }
}
