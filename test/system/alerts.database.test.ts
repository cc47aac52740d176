/** The alert rules on scrapes of a real service, as far as its database matters. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { clusterUrl, newDatabase } from '../support/database/database.ts'
import { temporaryFolder } from '../support/files.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import { startDatabaseProxy } from '../support/postgres/database-proxy.ts'
import { ALERTS, assertFire, startWithMetrics } from '../support/process/alerts.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../support/process/metrics.ts'
import { alertProblems } from '../support/process/recorded-series.ts'
import type { Scrape } from '../support/process/recorded-series.ts'
import { databaseEnv, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { until } from '../support/until.ts'

/** They fire when the machine suspends the test. */
const OF_MACHINE = new Set(['PaylinkAuthFrozen', 'PaylinkAuthEventLoopBlocked'])

describe('a quiet service', () => {
  for (const [name, visit] of Object.entries({
    'that only Prometheus calls': async () => {},
    'that a balancer checks, and where someone signs up now and then': async ({ origin, call }: Served, n: number) => {
      assert.equal((await fetch(`${origin}/readyz`)).status, 200)
      assert.equal((await fetch(`${origin}/healthz`)).status, 200)
      await call('POST /auth/api/signup', { body: { email: `ana-${n}@example.com` } })
      await call('GET /auth/verify?token=x')
      // Google is not configured: no fault.
      assert.equal((await call('POST /auth/google/onetap', { body: { credential: 'x' } })).status, 501)
    },
  })) {
    test(`${name} fires no alert in ten minutes, or in hours`, async (t) => {
      const folder = temporaryFolder()
      const smtp = await startSmtp()
      const service = await serveIn(folder.path, {
        METRICS_TOKEN,
        SMTP_URL: smtp.url,
        // Without the stand-in for Google.
        PUBLIC_URL: 'https://auth.example.com',
        ...(await databaseEnv(folder.path)),
      })
      t.after(async () => {
        await service.stop()
        await smtp.close()
        folder.remove()
      })
      const record = async () => {
        const scrapes: Scrape[] = []
        for (let n = 0; n < 4; n += 1) {
          await visit(service, n)
          await until(async () => valueOf(await scrape(service.origin), 'mail_queue_length') === 0, 'mails are sent')
          scrapes.push(await scrape(service.origin))
        }
        return scrapes
      }
      // Made in the first moments.
      const hasReserve = async () => valueOf(await scrape(service.origin), 'database_reserve_whole') !== 0
      await until(hasReserve, 'the space for revocations is reserved')
      const scrapes = await record()
      const isOfMachine = (valueOf(scrapes.at(-1) ?? [], 'event_loop_longest_stall_seconds') ?? 0) > 0.5
      const ofService = ALERTS.filter((alert) => !isOfMachine || !OF_MACHINE.has(alert))
      const minutes = Array.from({ length: 10 }, (_, n) => [`${n + 1}m`, []] as const)
      const silent = Object.fromEntries([...minutes, ['6h', []]])
      assert.equal(alertProblems(scrapes, { interval: '1m' }, silent, ofService), '')
    })
  }
})

test('an alert fires for a database that does not answer', async (t) => {
  const folder = temporaryFolder()
  const proxy = clusterUrl && (await startDatabaseProxy(Number(new URL(clusterUrl).port || 5432)))
  const database = await newDatabase(folder.path)
  const url = new URL(database.url)
  if (proxy) url.port = new URL(proxy.url).port
  const service = await startWithMetrics(t, proxy ? { DATABASE_URL: url.href, DATABASE_POOL_SIZE: '4' } : {})
  t.after(async () => {
    if (proxy) await proxy.close()
    await database.remove()
    folder.remove()
  })
  const before = await scrape(service.origin)
  if (proxy) proxy.swallow()
  else await service.db.close()
  const calls = Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      service.call('POST /auth/request', { body: { email: `ana-${n}@example.com` } }),
    ),
  )
  if (!proxy) await calls
  await wait(200)
  const meanwhile = await scrape(service.origin)
  assertFire(['PaylinkAuthDatabaseDown'], [before, meanwhile])
  if (proxy) {
    assertFire(['PaylinkAuthConnectionsUsedUp'], [before, meanwhile])
    proxy.pass()
    proxy.cutAll()
    await calls
    await wait(100)
  }
  assertFire(['PaylinkAuthErrors', 'PaylinkAuthWritesFail'], [before, await scrape(service.origin)])
})
