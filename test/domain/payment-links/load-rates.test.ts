import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startRates } from '../../../src/domain/payment-links/load-rates.ts'
import { createBoundedFetch } from '../../../src/lib/bounded-fetch.ts'
import { bankOf, OLD_RATES } from '../../support/accounts/bank.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { freePort } from '../../support/files.ts'
import { serving } from '../../support/http/serving.ts'
import type { Handler } from '../../support/google/issuer.ts'
import { until } from '../../support/until.ts'

let service: Service
before(async () => {
  service = await startService({ LOG_LEVEL: 'info' })
})
after(() => service.close())

const { today, right, held, holdOld, logged, refusals, ask } = bankOf(() => service)
beforeEach(holdOld)

const LONG = { everyMs: 3_600_000, afterFailureMs: 3_600_000 }

test('the bank is asked at once, by one plain GET, and its rates are stored in addition to older ones', async (t) => {
  const { bank, rates } = await ask(t, (_, response) => response.end(right()), LONG)
  await until(async () => (await held()).length === 4, 'rates are held')
  await rates?.stop()
  assert.deepEqual(await held(), [OLD_RATES[0], `${today()} EUR 4.9770`, OLD_RATES[1], `${today()} GBP 5.8321`])
  assert.deepEqual(bank.requests, ['GET /nbrfxrates.xml'])
  assert.equal(logged('exchange rates read').length, 1)
  assert.equal(refusals().length, 0)
})

test('the bank is asked periodically; a later document may correct a day, and an unchanged one changes nothing', async (t) => {
  let document = right()
  const { bank } = await ask(t, (_, response) => response.end(document))
  await until(() => bank.requests.length >= 3, 'asked again')
  assert.equal((await held()).length, 4)
  document = right().replace('4.9770', '4.9771')
  await until(async () => (await held()).includes(`${today()} EUR 4.9771`), 'the day is corrected')
  assert.equal((await held()).length, 4)
})

test('any other answer changes nothing, is logged without its content, and is retried only later', async (t) => {
  const secret = 'A-SECRET-OF-THE-ANSWER'
  const half = right().replace(/<Rate currency="GBP">.*\n/, `<!-- ${secret} -->`)
  const answers: Readonly<Record<string, Handler>> = {
    'no document': (_, response) => response.end(`<html>${secret}</html>`),
    'one rate of two': (_, response) => response.end(half),
    'a rate that is none': (_, response) => response.end(right().replace('5.8321', secret)),
    'an entity': (_, response) => response.end(`<!DOCTYPE x [<!ENTITY e "${secret}">]>${right()}`),
    nothing: (_, response) => response.end(),
    'another status': (_, response) => response.writeHead(404).end(right()),
    'a fault': (_, response) => response.writeHead(500).end(right()),
    'part of it, though asked for all': (_, response) => response.writeHead(206).end(right()),
    'no content': (_, response) => response.writeHead(204).end(),
    'what is not UTF-8': (_, response) =>
      response.end(Buffer.concat([Buffer.from(right()), Buffer.from([0xff, 0xfe])])),
    'half of it, and the end of the connection': (_, response) => {
      response.writeHead(200, { 'content-length': 10_000 })
      response.write(right(), () => response.destroy())
    },
    'too much': (_, response) => response.end(right() + ' '.repeat(200_000)),
    'no HTTP': (_, response) => response.socket?.end('SSH-2.0-x\r\n'),
  }
  for (const [what, handler] of Object.entries(answers)) {
    const { bank, rates } = await ask(t, handler, LONG)
    await until(() => refusals().length > 0, what)
    await rates?.stop()
    assert.deepEqual(await held(), OLD_RATES, what)
    assert.equal(bank.requests.length, 1, what)
    assert.equal(refusals().length, 1, what)
    assert.equal(logged('exchange rates read').length, 0, what)
    assert.ok(!service.logLines.join().includes(secret), service.logLines.join())
  }
})

test('a first start without the Internet says once, at info level, that there are no rates and what that means', async (t) => {
  await service.db.query.deleteFrom('exchange_rates').execute()
  let isBack = false
  const { bank, rates } = await ask(t, (_, response) => (isBack ? response.end(right()) : response.destroy()))
  await until(() => bank.requests.length >= 3, 'asked again')
  assert.equal(refusals().length, 0)
  const lines = logged('no exchange rates yet').map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ level, host, err }) => [level, host, err.cause.split(':')[0]]),
    [[30, new URL(bank.url).host, 'closed']],
  )
  assert.match(lines[0].msg, /: sample rates stand in, .*rates load/)
  isBack = true
  await until(async () => (await held()).length === 2, 'rates are held')
  isBack = false
  await until(() => refusals().length > 0, 'later failures warn')
  await rates?.stop()
  assert.equal(logged('no exchange rates yet').length, 1)
})

test('in production, where there are no sample rates, it says that amounts are null', async (t) => {
  await service.db.query.deleteFrom('exchange_rates').execute()
  service.logLines.length = 0
  const exchangeRatesUrl = new URL(`http://127.0.0.1:${await freePort()}`)
  const config = { ...service.deps.config, exchangeRatesUrl, hasDevelopmentPages: false }
  const rates = startRates({ ...service.deps, config }, createBoundedFetch(), LONG)
  t.after(() => rates?.stop())
  await until(() => logged('no exchange rates yet').length > 0, 'the failure is logged')
  assert.match(logged('no exchange rates yet')[0] ?? '', /amounts in another currency are null.*rates load/)
})

test('redirects are not followed', async (t) => {
  const elsewhere = await serving(t, (_, response) => response.end(right()))
  for (const status of [301, 302, 307, 308]) {
    const { rates } = await ask(t, (_, response) => response.writeHead(status, { location: elsewhere.url }).end(), LONG)
    await until(() => refusals().length > 0, `${status} is refused`)
    await rates?.stop()
  }
  assert.deepEqual(elsewhere.requests, [])
  assert.deepEqual(await held(), OLD_RATES)
})

test('switched off, the service asks nobody; stopped, it asks nobody again', async (t) => {
  const config = { ...service.deps.config, exchangeRatesUrl: 'off' as const }
  assert.equal(startRates({ ...service.deps, config }, createBoundedFetch()), undefined)
  for (const status of [200, 503]) {
    const { bank, rates } = await ask(t, (_, response) => response.writeHead(status).end(right()))
    await until(() => bank.requests.length > 0, 'asked')
    await rates?.stop()
    const { length } = bank.requests
    await new Promise((resolve) => setTimeout(resolve, 60))
    assert.equal(bank.requests.length, length)
  }
})
