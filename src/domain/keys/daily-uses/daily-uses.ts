/** Exchanges per key and day: counted in memory and written later, so that no exchange waits for a write. */
import { DAY_MS, nextTurn, utcDay } from '../../../lib/clock.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { CoreDeps } from '../../deps.ts'
import { addDailyUses } from './daily-use-store.ts'

/** Days that are kept and shown. */
export const DAYS_KEPT = 30

/** What is shown is at most a minute late: the rest of the minute is for the write. */
const WRITE_EVERY_MS = 50_000
const BATCH = 100

export type DailyUses = Readonly<{
  noteExchange(keyId: string): void
  flush(): Promise<void>
  /** Stops the timer and writes what is pending; later exchanges are lost. */
  close(): Promise<void>
}>

type Held = { key_id: string; day: string; exchanges: number }

export function createDailyUses({ db, clock, log }: Pick<CoreDeps, 'db' | 'clock' | 'log'>): DailyUses {
  const held = new Map<string, Held>()
  let lastFlush: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    const all = [...held].toSorted(([one], [other]) => (one < other ? -1 : 1))
    for (let done = 0; done < all.length; done += BATCH) {
      if (done > 0) await nextTurn()
      const batch = all.slice(done, done + BATCH).map(([key, use]) => ({ key, use: { ...use, refusals: 0 } }))
      await db.transaction((trx) =>
        addDailyUses(
          trx,
          batch.map(({ use }) => use),
        ),
      )
      for (const { key, use } of batch) {
        const known = held.get(key)
        if (known === undefined) continue
        known.exchanges -= use.exchanges
        if (known.exchanges === 0) held.delete(key)
      }
    }
  }

  // One after the other: two at once would write the same exchanges twice.
  const flush = () => {
    lastFlush = lastFlush.then(write, write)
    return lastFlush
  }
  // What could not be written is written with the next exchanges.
  const flushOrLog = () => flush().catch((err: unknown) => log.warn({ err }, 'daily uses of keys not written'))
  const repeated = repeat(WRITE_EVERY_MS, flushOrLog)

  return {
    noteExchange(keyId) {
      const nowMs = clock.now()
      const key = `${keyId} ${Math.floor(nowMs / DAY_MS)}`
      const known = held.get(key)
      if (known === undefined) held.set(key, { key_id: keyId, day: utcDay(nowMs), exchanges: 1 })
      else known.exchanges += 1
    },
    flush,
    async close() {
      await repeated.stop()
      await flushOrLog()
    },
  }
}
