/** Brings exchange rates from the bank's address into the database, now and from then on. */
import type { DomainDeps } from '../deps.ts'
import type { BoundedFetch } from '../../lib/bounded-fetch.ts'
import { sleep } from '../../lib/clock.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Repeated } from '../../lib/repeat.ts'
import { keepRates } from './exchange-rate-store.ts'

/** How long is waited, in milliseconds: the bank sets rates once on a banking day, shortly after 13:00. */
const WAITS = { everyMs: 6 * 3600 * 1000, afterFailureMs: 10 * 60 * 1000 }

/** Asks the bank now and from then on. What comes of it is logged; what is held stays when nothing better comes. */
export function startRates(
  { config, db, clock, log }: Pick<DomainDeps, 'config' | 'db' | 'clock' | 'log'>,
  fetch: BoundedFetch,
  { everyMs, afterFailureMs } = WAITS,
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
        await db.transaction((trx) => keepRates(trx, rates))
        log.info({ rates }, 'exchange rates read')
        return
      } catch (err) {
        log.warn({ err }, 'exchange rates not read: those that are held stay in use')
        await sleep(afterFailureMs, stopping)
      }
    }
  }
  return repeat(everyMs, read, 0)
}
