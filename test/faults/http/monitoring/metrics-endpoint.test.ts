import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterUrl, newDatabase } from '../../../support/database/database.ts'
import { startDatabaseProxy } from '../../../support/postgres/database-proxy.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../../../support/process/metrics.ts'
import { startService } from '../../../support/service.ts'
import { until } from '../../../support/until.ts'
import { stopwatch } from '../../../support/process/stopwatch.ts'

const skip = clusterUrl === undefined && 'SQLite runs in the process'

test(
  'an unresponsive database and the calls that wait for it show in the metrics within seconds',
  { skip },
  async (t) => {
    const proxy = await startDatabaseProxy(Number(new URL(clusterUrl ?? '').port || 5432))
    const database = await newDatabase('')
    const url = new URL(database.url)
    url.port = new URL(proxy.url).port
    const service = await startService({ METRICS_TOKEN, DATABASE_URL: url.href, DATABASE_POOL_SIZE: '4' })
    t.after(async () => {
      proxy.pass()
      proxy.cutAll()
      await service.close()
      await proxy.close()
      await database.remove()
    })
    const { token } = await service.signUp('ana@example.com')
    const before = await scrape(service.origin)
    assert.deepEqual(
      ['calls', 'guard'].map((pool) => valueOf(before, 'database_connections_max', { pool })),
      [3, 1],
    )

    proxy.swallow()
    const calls = Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        service.call('POST /auth/request', { body: { email: `waits-${n}@example.com` } }),
      ),
    )
    await until(async () => {
      const samples = await scrape(service.origin)
      return (valueOf(samples, 'database_connections_waiting', { pool: 'calls' }) ?? 0) > 0
    }, 'calls wait')
    const tookMs = stopwatch()
    const samples = await scrape(service.origin)
    // An upper bound for one scrape.
    assert.ok(tookMs() < 10_000)
    assert.equal(valueOf(samples, 'database_up'), 0)
    assert.equal(valueOf(samples, 'mail_queue_length'), undefined)
    assert.equal(valueOf(samples, 'database_connections_in_use', { pool: 'calls' }), 3)

    proxy.pass()
    proxy.cutAll()
    await calls
    await until(async () => valueOf(await scrape(service.origin), 'database_up') === 1, 'it is back')
    assert.equal((await service.call('GET /users/me', { token })).status, 200)
  },
)
