/** A service with metrics, and which alerts fire on scrapes of it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '../../../src/http/endpoint.ts'
import { holdRates } from '../accounts/payment-links.ts'
import { startService } from '../service.ts'
import type { Service } from '../service.ts'
import { METRICS_TOKEN, scrape } from './metrics.ts'
import { RULES } from './prometheus.ts'
import { alertProblems } from './recorded-series.ts'
import type { Scrape } from './recorded-series.ts'

export const ALERTS = [...readFileSync(RULES, 'utf8').matchAll(/^ +- alert: (\w+)$/gm)].map(([, alert = '']) => alert)

export async function startWithMetrics(
  t: TestContext,
  env: Record<string, string> = {},
  prepare?: (app: App) => void,
): Promise<Service> {
  const service = await startService({ METRICS_TOKEN, ...env }, prepare)
  t.after(() => service.close())
  await holdRates(service.db, new Date(service.clock.now()).toISOString().slice(0, 10), { EUR: '5', GBP: '6' })
  return service
}

type Course = Readonly<{
  /** Between scrapes. */
  interval?: string
  /** When the alerts fire at the latest. */
  after?: string
  /** How often the rules are evaluated, which takes nearly all time of a test. */
  evaluated?: string
}>

/** Asserts that the alerts fire in the end, and not before the trouble, if it goes on as between these scrapes. */
export function assertFire(
  names: readonly string[],
  scrapes: readonly Scrape[],
  { interval = '1m', after = '3h', evaluated = '5m' }: Course = {},
): void {
  assert.equal(alertProblems(scrapes, { interval, evaluated }, { '0m': [], [after]: names }, names), '')
}

/** Two scrapes with a minute of this between them. */
export async function around(origin: string, work: () => Promise<unknown>): Promise<Scrape[]> {
  const before = await scrape(origin)
  await work()
  // A call is counted a moment after its answer.
  await wait(100)
  return [before, await scrape(origin)]
}
