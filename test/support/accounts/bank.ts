/** A server that plays the bank, and the state of the service that reads its rates. */
import type { TestContext } from 'node:test'
import { startRates } from '../../../src/domain/payment-links/load-rates.ts'
import { createBoundedFetch } from '../../../src/lib/bounded-fetch.ts'
import type { Handler } from '../google/issuer.ts'
import { bankDocument, holdRates, usualRates } from './payment-links.ts'
import type { Service } from '../service.ts'
import { serving } from '../http/serving.ts'
import { databaseContent } from '../database/state.ts'

/** The rates stored before each test: those of an earlier day. */
export const OLD_RATES = ['2026-01-05 EUR 4.9', '2026-01-05 GBP 5.7']

/** @param serviceOf called late: the service may be started after this */
export function bankOf(serviceOf: () => Service) {
  const today = () => new Date(serviceOf().clock.now()).toISOString().slice(0, 10)
  const logged = (message: string) => serviceOf().logLines.filter((line) => line.includes(message))
  return {
    today,
    logged,
    refusals: () => logged('exchange rates not read'),
    right: () => bankDocument({ date: today(), rates: usualRates }),
    held: async () =>
      (await databaseContent(serviceOf().db)).rates.map((row) => `${row.date} ${row.currency} ${row.ron_per_unit}`),
    holdOld: async () => {
      const { db } = serviceOf()
      await db.query.deleteFrom('exchange_rates').execute()
      await holdRates(db, '2026-01-05', { EUR: '4.9', GBP: '5.7' })
    },
    /** Serves the bank with this handler until the test ends. Intervals are short unless a test needs others. */
    ask: async (t: TestContext, handler: Handler, waits = { everyMs: 20, afterFailureMs: 20 }) => {
      const service = serviceOf()
      const bank = await serving(t, handler)
      service.logLines.length = 0
      const config = { ...service.deps.config, exchangeRatesUrl: new URL(`${bank.url}/nbrfxrates.xml`) }
      const rates = startRates({ ...service.deps, config }, createBoundedFetch(), waits)
      t.after(() => rates?.stop())
      return { bank, rates }
    },
  }
}
