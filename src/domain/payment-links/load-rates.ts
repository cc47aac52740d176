import type { DomainDeps } from '../deps.ts'
import type { BoundedFetch } from '../../lib/bounded-fetch.ts'
import { sleep } from '../../lib/clock.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Repeated } from '../../lib/repeat.ts'
import { upsertRates } from './exchange-rate-store.ts'

/** The bank sets rates once per banking day, shortly after 13:00. */
const INTERVALS = { everyMs: 6 * 3600 * 1000, afterFailureMs: 10 * 60 * 1000 }

/**
 * Starts loading. Outcomes are logged; after a failure the stored rates stay in use until they are too old.
 * @param intervals for tests
 */
export function startRates(
  { config, db, clock, log }: Pick<DomainDeps, 'config' | 'db' | 'clock' | 'log'>,
  fetch: BoundedFetch,
  intervals = INTERVALS,
): Repeated | undefined {
  const { exchangeRatesUrl: url } = config
  if (url === 'off') return undefined

  async function read(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      try {
        const { status, text } = await fetch(String(url))
        if (status !== 200) throw new Error(`the answer’s status is ${status}`)
        const { readRatesDocument } = await import('./rates-document.ts')
        const rates = readRatesDocument(text, clock.now())
        await db.transaction((trx) => upsertRates(trx, rates))
        log.info({ rates }, 'exchange rates read')
        return
      } catch (err) {
        log.warn({ err }, 'exchange rates not read: the stored rates stay in use until they are seven days old')
        await sleep(intervals.afterFailureMs, stopping)
      }
    }
  }
  return repeat(intervals.everyMs, read, 0)
}
