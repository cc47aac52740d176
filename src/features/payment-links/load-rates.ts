/** Brings exchange rates into the database: from the bank's address, by the clock, or from a document at hand. */
import { inTransaction } from '../../db/db.ts'
import type { Db } from '../../db/db.ts'
import type { Deps } from '../../deps.ts'
import type { BoundedFetch } from '../../lib/bounded-fetch.ts'
import { sleep } from '../../lib/clock.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Repeated } from '../../lib/repeat.ts'
import { keepRates } from './exchange-rate-store.ts'
import type { RateOfDay } from './exchange-rate-store.ts'
import { readRatesDocument } from './rates-document.ts'

/** How often the bank is asked, in milliseconds: it sets rates once on a banking day, shortly after 13:00. */
const EVERY_MS = 6 * 3600 * 1000
/** How long after a failure it is asked again, in milliseconds. */
const AGAIN_AFTER_MS = 10 * 60 * 1000

/**
 * Keeps the rates of a document: all of them, or none.
 * @throws {RatesDocumentError}
 */
export async function keepDocument(db: Db, xml: string, nowMs: number): Promise<RateOfDay[]> {
  const rates = readRatesDocument(xml, nowMs)
  await inTransaction(db, (trx) => keepRates(trx, rates))
  return rates
}

/** Asks the bank now and from then on. What comes of it is logged; what is held stays when nothing better comes. */
export function startRates({ config, db, clock, log }: Pick<Deps, 'config' | 'db' | 'clock' | 'log'>, fetch: BoundedFetch): Repeated | undefined {
  const { exchangeRatesUrl: url } = config
  if (url === 'off') return undefined

  async function read(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      try {
        const { status, text } = await fetch(String(url))
        if (status !== 200) throw new Error(`the answer’s status is ${status}`)
        const rates = await keepDocument(db, text, clock.now())
        log.info({ rates }, 'exchange rates read')
        return
      } catch (err) {
        log.warn({ err }, 'exchange rates not read: those that are held stay in use')
        await sleep(AGAIN_AFTER_MS, stopping)
      }
    }
  }
  return repeat(EVERY_MS, read, 0)
}
