/** Each alert rule on scrapes of a real service: none fires for a quiet one, and each for one that is broken so. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { App } from '../../src/http/endpoint.ts'
import { keyIdOfSecret } from '../../src/lib/hash.ts'
import { holdRates } from '../support/accounts/payment-links.ts'
import { mint, read } from '../support/accounts/tokens.ts'
import { clusterUrl, newDatabase } from '../support/database/database.ts'
import { fillUp, signUp as signUpAt } from '../support/database/full-disk.ts'
import { cannotMount, mountSmallDisk } from '../support/database/small-disk.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { startDatabaseProxy } from '../support/postgres/database-proxy.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../support/process/metrics.ts'
import { RULES } from '../support/process/prometheus.ts'
import { alertProblems } from '../support/process/recorded-series.ts'
import type { Scrape } from '../support/process/recorded-series.ts'
import { openDescriptors } from '../support/process/resources.ts'
import { databaseEnv, serveIn } from '../support/process/served.ts'
import type { Served } from '../support/process/served.ts'
import { CLI } from '../support/process/shipped-build.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { until } from '../support/until.ts'

const OLDER = 'an-older-secret-of-more-than-thirty-two-bytes'
const ALERTS = [...readFileSync(RULES, 'utf8').matchAll(/^ +- alert: (\w+)$/gm)].map(([, alert = '']) => alert)
/** They fire when the machine suspends the test. */
const OF_MACHINE = new Set(['PaylinkAuthFrozen', 'PaylinkAuthEventLoopBlocked'])

async function start(t: TestContext, env: Record<string, string> = {}, prepare?: (app: App) => void): Promise<Service> {
  const service = await startService({ METRICS_TOKEN, ...env }, prepare)
  t.after(() => service.close())
  await holdRates(service.db, new Date(service.clock.now()).toISOString().slice(0, 10), { EUR: '5', GBP: '6' })
  return service
}

/** Asserts that the alerts fire in the end, and not before the trouble, if it goes on as between these scrapes. */
function assertFire(names: readonly string[], scrapes: readonly Scrape[], interval = '1m', after = '3h'): void {
  assert.equal(alertProblems(scrapes, interval, { '0m': [], [after]: names }, names), '')
}

/** Two scrapes with a minute of this between them. */
async function around(origin: string, work: () => Promise<unknown>): Promise<Scrape[]> {
  const before = await scrape(origin)
  await work()
  // A call is counted a moment after its answer.
  await wait(100)
  return [before, await scrape(origin)]
}

const times = (count: number, work: (n: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

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
      assert.equal(alertProblems(scrapes, '1m', silent, ofService), '')
    })
  }
})

describe('an alert fires for', () => {
  test('a service that has ended', async (t) => {
    const service = await start(t)
    assertFire(['PaylinkAuthDown'], [await scrape(service.origin), undefined])
  })

  test('a database that does not answer', async (t) => {
    const folder = temporaryFolder()
    const proxy = clusterUrl && (await startDatabaseProxy(Number(new URL(clusterUrl).port || 5432)))
    const database = await newDatabase(folder.path)
    const url = new URL(database.url)
    if (proxy) url.port = new URL(proxy.url).port
    const service = await start(t, proxy ? { DATABASE_URL: url.href, DATABASE_POOL_SIZE: '4' } : {})
    t.after(async () => {
      if (proxy) await proxy.close()
      await database.remove()
      folder.remove()
    })
    const before = await scrape(service.origin)
    if (proxy) proxy.swallow()
    else await service.db.close()
    const calls = times(20, (n) => service.call('POST /auth/request', { body: { email: `ana-${n}@example.com` } }))
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

  describe('a disk', { skip: cannotMount || (clusterUrl !== undefined && 'PostgreSQL has its own') }, () => {
    async function startOn(t: TestContext, sizeMib: number) {
      const disk = mountSmallDisk(sizeMib)
      const service = await serveIn(disk.path, { METRICS_TOKEN })
      t.after(async () => {
        service.process.kill('SIGKILL')
        await service.process.exited
        disk.remove()
      })
      return { disk, service }
    }

    test('that is nearly full, and then full', async (t) => {
      const { disk, service } = await startOn(t, 40)
      const { token } = (await signUpAt(service, 'ana@example.com')).body
      const before = await scrape(service.origin)
      assertFire(['PaylinkAuthDiskLow'], [before])
      const free = await fillUp(disk, service, token)
      const full = await scrape(service.origin)
      free()
      assertFire(['PaylinkAuthDiskFull'], [before, full])
    })

    test('without room for the space that revocations need', async (t) => {
      const { service } = await startOn(t, 10)
      assertFire(['PaylinkAuthReserveMissing'], [await scrape(service.origin)])
    })
  })

  test('slow answers', async (t) => {
    const service = await start(t, {}, (app) => {
      app.addHook('onRequest', async ({ url }) => (url.endsWith('/auth/config') ? wait(700) : undefined))
    })
    assertFire(
      ['PaylinkAuthSlow'],
      await around(service.origin, () => times(10, () => service.call('GET /auth/config'))),
    )
  })

  test('a mail server that takes no mail', async (t) => {
    const service = await start(t, { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })
    const scrapes = await around(service.origin, async () => {
      await service.call('POST /auth/request', { body: { email: 'ana@example.com' } })
      const failed = async () => valueOf(await scrape(service.origin), 'mail_attempts_total', { outcome: 'failed' })
      await until(async () => (await failed()) === 1, 'an attempt')
      service.clock.advance(400_000)
    })
    assertFire(['PaylinkAuthMailStuck'], scrapes)
  })

  test('a mail server that refuses all mail, and not for one mailbox that does', async (t) => {
    const smtp = await startSmtp({
      onRcptTo: (_to, _session, done) => done(Object.assign(new Error('full'), { responseCode: 452 })),
    })
    t.after(() => smtp.close())
    const service = await start(t, { SMTP_URL: smtp.url })
    const refused = async (count: number) =>
      (valueOf(await scrape(service.origin), 'mail_attempts_total', { outcome: 'refused' }) ?? 0) >= count
    const request = (name: string) => service.call('POST /auth/request', { body: { email: `${name}@example.com` } })
    const ofOne = await around(service.origin, async () => {
      await request('ana')
      await until(() => refused(1), 'an attempt')
      service.clock.advance(400_000)
    })
    assert.equal(alertProblems(ofOne, '1m', { '3h': [] }, ['PaylinkAuthMailStuck']), '')
    const ofMany = await around(service.origin, async () => {
      for (const name of ['bob', 'eva', 'dan']) await request(name)
      await until(() => refused(4), 'attempts')
      service.clock.advance(400_000)
    })
    assertFire(['PaylinkAuthMailStuck'], ofMany)
  })

  test('an event loop that is blocked for a moment, or again and again', async (t) => {
    const block = async () => {
      for (const endMs = performance.now() + 2500; performance.now() < endMs;);
      return ''
    }
    const service = await start(t, {}, (app) => void app.get('/block', { config: { access: 'public' } }, block))
    await wait(300)
    const scrapes = await around(service.origin, () => fetch(`${service.origin}/block`))
    assertFire(['PaylinkAuthFrozen', 'PaylinkAuthEventLoopBlocked'], scrapes, '15s')
  })

  test('file descriptors that run out', async (t) => {
    const folder = temporaryFolder()
    const limit = 160
    const command = ['prlimit', `--nofile=${limit}:${limit}`, process.execPath, CLI]
    const service = await serveIn(folder.path, { METRICS_TOKEN }, command)
    t.after(async () => {
      await service.stop()
      folder.remove()
    })
    const scrapes = await around(service.origin, async () => {
      const { port } = new URL(service.origin)
      for (let n = openDescriptors(service.process); n < 0.9 * limit; n += 1) {
        const socket = connect(Number(port), '127.0.0.1').on('error', () => {})
        t.after(() => socket.destroy())
      }
      await until(() => openDescriptors(service.process) > 0.85 * limit, 'connections are open')
    })
    assertFire(['PaylinkAuthFilesRunOut'], scrapes)
  })

  test('a process that starts again and again', async (t) => {
    const folder = temporaryFolder()
    t.after(() => folder.remove())
    const scrapes: Scrape[] = []
    for (let n = 0; n < 5; n += 1) {
      const service = await serveIn(folder.path, { METRICS_TOKEN })
      scrapes.push(await scrape(service.origin))
      await service.stop()
      // The start is told in whole seconds.
      await wait(1000)
    }
    assertFire(['PaylinkAuthRestarts'], scrapes, '1m', '10m')
  })

  test('exchange rates that are missing, or six days old', async (t) => {
    const service = await start(t)
    service.clock.advance(7 * 86_400_000)
    assertFire(['PaylinkAuthExchangeRatesOld'], [await scrape(service.origin)], '1m', '2h')
    await service.db.query.deleteFrom('exchange_rates').execute()
    assertFire(['PaylinkAuthExchangeRatesOld'], [await scrape(service.origin)], '1m', '2h')
  })

  test('credentials that are guessed, sign-ins that fail, and very many signups', async (t) => {
    const service = await start(t)
    const { origin, call } = service
    const guess = () => call('POST /auth/api/token', { body: { keyId: 'plk_x', keySecret: 'pls_x' } })
    assertFire(['PaylinkAuthKeysGuessed'], await around(origin, () => times(100, guess)))
    assertFire(
      ['PaylinkAuthSignInsRefused'],
      await around(origin, () => times(10, () => call('GET /auth/verify?token=x'))),
    )
    const signUp = (n: number) => call('POST /auth/api/signup', { body: { email: `ana-${n}@example.com` } })
    assertFire(['PaylinkAuthSignupsMany'], await around(origin, () => times(90, signUp)))
  })

  test('a secret to be retired that still signs', async (t) => {
    const service = await start(t, { JWT_SECRET_VERIFY: OLDER })
    const { header, claims } = read(await service.signIn('ana@example.com'))
    const token = mint({ header: { ...header, kid: keyIdOfSecret(OLDER) }, claims, secret: OLDER })
    const scrapes = await around(service.origin, async () => {
      assert.equal((await service.call('GET /users/me', { token })).status, 200)
    })
    assertFire(['PaylinkAuthOldSecretInUse'], scrapes, '1h', '12d')
  })

  test('every fault that has a rule', () => {
    const calls = readFileSync(import.meta.filename, 'utf8').matchAll(/assertFire\(\s*\[([^\]]*)\]/g)
    const tested = [...calls].flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
    assert.deepEqual([...new Set(tested)].toSorted(), ALERTS.toSorted())
  })
})
