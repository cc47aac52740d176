import { sleep } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'

/** A scrape must succeed, and report the outage, while the database does not answer. */
const DATABASE_TIMEOUT_MS = 1000

/** Concurrent callers share one query, so a slow database never gets a second. `undefined`: no answer in time. */
export function sharedQuery<T>(query: () => Promise<T>, log: Log): () => Promise<T | undefined> {
  let pending: Promise<T | undefined> | undefined
  return async () => {
    pending ??= query()
      .catch((err: unknown): undefined => {
        log.warn({ err }, 'cannot read the metrics of the database')
      })
      .finally(() => void (pending = undefined))
    const finished = new AbortController()
    try {
      return await Promise.race([pending, sleep(DATABASE_TIMEOUT_MS, finished.signal).then(() => undefined)])
    } finally {
      finished.abort()
    }
  }
}
