/** Last use of keys: held in memory and written asynchronously, so that no call waits for a write. */
import type { Database } from '../../database/database.ts'
import { nextTurn } from '../../lib/clock.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import { repeat } from '../../lib/repeat.ts'
import { recordKeyUses } from './key-store.ts'

/** `lastUsedAt` is at most a minute late: the rest of the minute is for the write. */
const WRITE_EVERY_MS = 50_000

const BATCH = 100

export type KeyUse = Readonly<{
  /** A use now: an exchange, or a call with a token of the key. */
  note(apiKeyId: string): void
  flush(): Promise<void>
  /** Stops the timer and writes what is pending; later uses are lost. */
  close(): Promise<void>
}>

export function createKeyUse(db: Database, clock: Clock, log: Log): KeyUse {
  const usedAtMs = new Map<string, number>()

  async function flush(): Promise<void> {
    const uses = [...usedAtMs].toSorted(([one], [other]) => (one < other ? -1 : 1))
    for (let done = 0; done < uses.length; done += BATCH) {
      if (done > 0) await nextTurn()
      const batch = uses.slice(done, done + BATCH)
      await db.transaction((trx) => recordKeyUses(trx, new Map(batch)))
      for (const [id, atMs] of batch) if (usedAtMs.get(id) === atMs) usedAtMs.delete(id)
    }
  }

  // What could not be written is written with the next uses.
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
