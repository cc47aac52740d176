import type { DomainDeps } from '../deps.ts'
import type { BoundedFetch } from '../../lib/bounded-fetch.ts'
import { sleep } from '../../lib/clock.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Repeated } from '../../lib/repeat.ts'
import { findLatestRates, upsertRates } from './exchange-rate-store.ts'

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
  const { host, href: address } = url
  let hasToldOfNone = false

  async function read(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      try {
        const { status, text } = await fetch(address)
        if (status !== 200) throw new Error(`the answer’s status is ${status}`)
        const { readRatesDocument } = await import('./rates-document.ts')
        const rates = readRatesDocument(text, clock.now())
        await db.transaction((trx) => upsertRates(trx, rates))
        log.info({ rates }, 'exchange rates read')
        return
      } catch (err) {
        await noteFailure(err)
        await sleep(intervals.afterFailureMs, stopping)
      }
    }
  }

  async function noteFailure(err: unknown): Promise<void> {
    if (await hasStoredRates()) {
      log.warn({ err, host }, 'exchange rates not read: the stored rates stay in use until they are seven days old')
    } else if (!hasToldOfNone) {
      hasToldOfNone = true
      const meanwhile = config.hasDevelopmentPages ? 'sample rates stand in' : 'amounts in another currency are null'
      log.info(
        { err, host },
        `no exchange rates yet: ${meanwhile}, everything else works. The service asks again every ten minutes; without the Internet, set EXCHANGE_RATES_URL=off and use \`paylink-auth rates load\``,
      )
    }
  }

  async function hasStoredRates(): Promise<boolean> {
    try {
      return Object.keys(await findLatestRates(db, '')).length > 0
    } catch {
      // Unknown while the database does not answer, so do not report a first start.
      return true
    }
  }

  return repeat(intervals.everyMs, read, 0)
}
