/** Each alert rule fires on scrapes of a service that is broken so. See `alerts.database.test.ts` too. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { keyIdOfSecret } from '../../src/lib/hash.ts'
import { mint, read } from '../support/accounts/tokens.ts'
import { fillUp, signUp as signUpAt } from '../support/database/full-disk.ts'
import { cannotMount, mountSmallDisk } from '../support/database/small-disk.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { startSmtp } from '../support/mail/smtp.ts'
import { ALERTS, around, assertFire, startWithMetrics } from '../support/process/alerts.ts'
import { METRICS_TOKEN, scrape, valueOf } from '../support/process/metrics.ts'
import { alertProblems } from '../support/process/recorded-series.ts'
import type { Scrape } from '../support/process/recorded-series.ts'
import { openDescriptors } from '../support/process/resources.ts'
import { serveIn } from '../support/process/served.ts'
import { CLI } from '../support/process/shipped-build.ts'
import { until } from '../support/until.ts'

const OLDER = 'an-older-secret-of-more-than-thirty-two-bytes'
const times = (count: number, work: (n: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

describe('an alert fires for', () => {
  test('a service that has ended', async (t) => {
    const service = await startWithMetrics(t)
    assertFire(['PaylinkAuthDown'], [await scrape(service.origin), undefined])
  })

  describe('a disk', { skip: cannotMount }, () => {
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
    const service = await startWithMetrics(t, {}, (app) => {
      app.addHook('onRequest', async ({ url }) => (url.endsWith('/auth/config') ? wait(700) : undefined))
    })
    assertFire(
      ['PaylinkAuthSlow'],
      await around(service.origin, () => times(10, () => service.call('GET /auth/config'))),
    )
  })

  test('a mail server that takes no mail', async (t) => {
    const service = await startWithMetrics(t, { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` })
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
    const service = await startWithMetrics(t, { SMTP_URL: smtp.url })
    const refused = async (count: number) =>
      (valueOf(await scrape(service.origin), 'mail_attempts_total', { outcome: 'refused' }) ?? 0) >= count
    const request = (name: string) => service.call('POST /auth/request', { body: { email: `${name}@example.com` } })
    const ofOne = await around(service.origin, async () => {
      await request('ana')
      await until(() => refused(1), 'an attempt')
      service.clock.advance(400_000)
    })
    assert.equal(alertProblems(ofOne, { interval: '1m' }, { '3h': [] }, ['PaylinkAuthMailStuck']), '')
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
    const service = await startWithMetrics(
      t,
      {},
      (app) => void app.get('/block', { config: { access: 'public' } }, block),
    )
    await wait(300)
    const scrapes = await around(service.origin, () => fetch(`${service.origin}/block`))
    assertFire(['PaylinkAuthFrozen', 'PaylinkAuthEventLoopBlocked'], scrapes, { interval: '15s' })
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
    assertFire(['PaylinkAuthRestarts'], scrapes, { after: '10m', evaluated: '1m' })
  })

  test('exchange rates that are missing, or six days old', async (t) => {
    const service = await startWithMetrics(t)
    service.clock.advance(7 * 86_400_000)
    assertFire(['PaylinkAuthExchangeRatesOld'], [await scrape(service.origin)], { after: '2h' })
    await service.db.query.deleteFrom('exchange_rates').execute()
    assertFire(['PaylinkAuthExchangeRatesOld'], [await scrape(service.origin)], { after: '2h' })
  })

  test('credentials that are guessed, sign-ins that fail, and very many signups', async (t) => {
    const service = await startWithMetrics(t)
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
    const service = await startWithMetrics(t, { JWT_SECRET_VERIFY: OLDER })
    const { header, claims } = read(await service.signIn('ana@example.com'))
    const token = mint({ header: { ...header, kid: keyIdOfSecret(OLDER) }, claims, secret: OLDER })
    const scrapes = await around(service.origin, async () => {
      assert.equal((await service.call('GET /users/me', { token })).status, 200)
    })
    assertFire(['PaylinkAuthOldSecretInUse'], scrapes, { interval: '1h', after: '12d', evaluated: '1h' })
  })

  test('every fault that has a rule', () => {
    const paths = [import.meta.filename, join(import.meta.dirname, 'alerts.database.test.ts')]
    const calls = paths
      .map((path) => readFileSync(path, 'utf8'))
      .join('\n')
      .matchAll(/assertFire\(\s*\[([^\]]*)\]/g)
    const tested = [...calls].flatMap(([, names = '']) => names.match(/\w+/g) ?? [])
    assert.deepEqual([...new Set(tested)].toSorted(), ALERTS.toSorted())
  })
})
