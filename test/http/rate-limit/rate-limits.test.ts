import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { from } from '../../support/http/limits.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'
import { databaseContent, recipientsOf } from '../../support/database/state.ts'

type Entry = Readonly<Record<string, number>>

/** Parses a `RateLimit` or `RateLimit-Policy` field, by name. */
function itemsOf(field: string | null): Record<string, Entry> {
  return Object.fromEntries(
    (field ?? '')
      .split(', ')
      .filter(Boolean)
      .map((item) => {
        const [name = '', ...parameters] = item.split(';')
        assert.match(name, /^"[a-z-]+"$/)
        for (const parameter of parameters) assert.match(parameter, /^[a-z]=\d+$/)
        const values = parameters.map((parameter) => [parameter[0] ?? '', Number(parameter.slice(2))] as const)
        return [name.slice(1, -1), Object.fromEntries(values)]
      }),
  )
}

const stateOf = (answer: Answer) => itemsOf(answer.headers.get('ratelimit'))
const policyOf = (answer: Answer) => itemsOf(answer.headers.get('ratelimit-policy'))

let service: Service
before(async () => {
  service = await startService({
    RATE_LIMITS: 'on',
    RATE_LIMIT_REQUEST_REPEAT: '1/2s',
    RATE_LIMIT_REQUEST_ADDRESS: '4/20m',
    RATE_LIMIT_SIGNUP_HOUR: '2/1h',
    RATE_LIMIT_EXCHANGE_FAILURES: '2/1m',
    TRUST_PROXY: '127.0.0.1',
  })
})
after(() => service.close())

const requestLink = (email: string, client = '192.0.2.1') =>
  service.call('POST /auth/request', { body: { email }, headers: from(client) })
const signUp = (email: string, client: string) =>
  service.call('POST /auth/api/signup', { body: { email }, headers: from(client) })
const exchange = (keyId: string, client: string) =>
  service.call('POST /auth/api/token', { body: { keyId, keySecret: 'pls_wrong' }, headers: from(client) })

describe('a limit', () => {
  test('lets the next call through after the seconds of Retry-After, and not earlier', async () => {
    const email = 'ana@limit.example'
    const ask = () => requestLink(email, '192.0.2.20')
    assert.equal((await ask()).status, 200)
    const refused = await ask()
    assertError(refused, 'RATE_LIMITED', 'Too many requests. Try again in 2 seconds.')
    assert.equal(refused.headers.get('retry-after'), '2')
    assert.deepEqual(stateOf(refused)['request-repeat'], { r: 0, t: 2 })
    service.clock.advance(1999)
    const early = await ask()
    assertError(early, 'RATE_LIMITED')
    assert.equal(early.headers.get('retry-after'), '1')
    service.clock.advance(1)
    assert.equal((await ask()).status, 200)
    await recipientsOf(service)
    const toThem = service.smtp.mails.filter(({ to }) => to.includes(email))
    assert.equal(toThem.length, 2, 'what was refused sent no mail')
  })

  test('counts down to zero, then refuses until a token is refilled, evenly', async () => {
    const answers = []
    for (const name of ['one', 'two', 'three']) {
      answers.push(await signUp(`${name}@count.example`, '192.0.2.3'))
    }
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201, 429],
    )
    assert.deepEqual(
      answers.map((answer) => stateOf(answer)['signup-hour']?.['r']),
      [1, 0, 0],
    )
    for (const answer of answers) {
      assert.deepEqual(policyOf(answer)['signup-hour'], { q: 2, w: 3600 })
      const seconds = stateOf(answer)['signup-hour']?.['t'] ?? 0
      assert.ok(seconds > 1700 && seconds <= 1800, `${seconds} s`)
    }
    const refused = answers[2] as Answer
    assert.equal(refused.headers.get('retry-after'), String(stateOf(refused)['signup-hour']?.['t']))
    const { users } = await databaseContent(service.db)
    assert.ok(!users.some(({ email }) => email === 'three@count.example'))
  })

  test('gives the duration of its block', async () => {
    const answers = []
    for (let n = 0; n < 3; n += 1) answers.push(await exchange('plk_blocked', '192.0.2.4'))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 429],
    )
    assert.equal(answers[2]?.headers.get('retry-after'), '900')
    service.clock.advance(899_999)
    assertError(await exchange('plk_blocked', '192.0.2.4'), 'RATE_LIMITED')
    service.clock.advance(1)
    assertError(await exchange('plk_blocked', '192.0.2.4'), 'INVALID_CREDENTIALS')
    assertError(await exchange('plk_other', '192.0.2.4'), 'INVALID_CREDENTIALS')
  })
})

const ask = (client: number) => requestLink('bucket@example.com', `198.51.100.${client}`)

describe('the limit of an address', () => {
  test('applies over all networks, refills evenly, and gives the time', async () => {
    for (let client = 1; client <= 4; client += 1) assert.equal((await ask(client)).status, 200)
    const refused = await ask(5)
    assertError(refused, 'RATE_LIMITED', 'Too many requests. Try again in 300 seconds.')
    assert.equal(refused.headers.get('retry-after'), '300')
    assert.deepEqual(stateOf(refused)['request-address'], { r: 0, t: 300 })
    assert.deepEqual(policyOf(refused)['request-address'], { q: 4, w: 1200 })

    service.clock.advance(299_999)
    assertError(await ask(6), 'RATE_LIMITED', /Try again in 1 seconds/)
    service.clock.advance(1)
    assert.equal((await ask(7)).status, 200)
  })

  test('counts a signup’s mail, which it never refuses', async () => {
    const email = 'noted@example.com'
    for (let client = 1; client <= 4; client += 1) await requestLink(email, `203.0.113.${client}`)
    assert.equal((await signUp(email, '203.0.113.5')).status, 201)

    const other = 'noted-first@example.com'
    assert.equal((await signUp(other, '203.0.113.5')).status, 201)
    const statuses = []
    for (let client = 11; client <= 14; client += 1) {
      statuses.push((await requestLink(other, `203.0.113.${client}`)).status)
    }
    assert.deepEqual(statuses, [200, 200, 200, 429])
  })

  test('is not shown to callers that it does not refuse, because it would reveal others’ requests for the address', async () => {
    const answer = await requestLink('asked-by-others@example.com', '203.0.113.21')
    const second = await requestLink('asked-by-others@example.com', '203.0.113.22')
    for (const { headers } of [answer, second]) {
      const fields = `${headers.get('ratelimit')} ${headers.get('ratelimit-policy')}`
      assert.doesNotMatch(fields, /request-address"/)
    }
    assert.deepEqual(stateOf(second), stateOf(answer))
  })

  test('is not drained by calls that another limit refuses', async () => {
    const email = 'not-drained@example.com'
    const answers = await Promise.all(Array.from({ length: 40 }, () => requestLink(email, '203.0.113.31')))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array<number>(39).fill(429)])
    for (let client = 32; client <= 34; client += 1) {
      assert.equal((await requestLink(email, `203.0.113.${client}`)).status, 200)
    }
    assertError(await requestLink(email, '203.0.113.35'), 'RATE_LIMITED')
  })
})

describe('the service', () => {
  test('lists every limit of an answer in both fields, in order, each with its policy', async () => {
    const answer = await requestLink('fields@example.com', '192.0.2.10')
    const names = ['request-client', 'request-repeat', 'request-address-client']
    assert.deepEqual(Object.keys(policyOf(answer)), names)
    assert.deepEqual(Object.keys(stateOf(answer)), names)
    assert.deepEqual(policyOf(answer)['request-repeat'], { q: 1, w: 2 })
    assert.deepEqual(policyOf(answer)['request-client'], { q: 3000, w: 900 })
    assert.equal(answer.headers.get('retry-after'), null)
  })

  test('treats one IPv6 /64 as one client, in any spelling, and the next /64 as another', async () => {
    const statuses = []
    for (const client of ['2001:db8:0:7::1', '2001:DB8::7:ffff:0:0:2', '2001:0db8:0000:0007:1:2:3:4']) {
      statuses.push((await signUp(`n${statuses.length}@v6.example`, client)).status)
    }
    assert.deepEqual(statuses, [201, 201, 429])
    assert.equal((await signUp('next@v6.example', '2001:db8:0:8::1')).status, 201)
  })

  test('treats an IPv4-mapped address as the IPv4 client, and two of them as two [CVE-2026-30827]', async () => {
    const statuses = []
    for (const client of ['192.0.2.20', '::ffff:192.0.2.20', '::FFFF:c000:0214']) {
      statuses.push((await signUp(`n${statuses.length}@mapped.example`, client)).status)
    }
    assert.deepEqual(statuses, [201, 201, 429])
    assert.equal((await signUp('next@mapped.example', '::ffff:192.0.2.21')).status, 201)
  })

  test('ignores the case of an e-mail address [CVE-2026-47203]', async () => {
    assert.equal((await requestLink('Case@Example.com', '192.0.2.30')).status, 200)
    for (const email of ['case@example.com', 'CASE@EXAMPLE.COM', 'ｃase@example.com']) {
      assertError(await requestLink(email, '192.0.2.30'), 'RATE_LIMITED')
    }
  })

  test('lets a concurrent burst through only up to the limit', async () => {
    const burst = Array.from({ length: 50 }, (_, n) => signUp(`n${n}@burst.example`, '192.0.2.40'))
    const statuses = (await Promise.all(burst)).map(({ status }) => status)
    assert.equal(statuses.filter((status) => status === 201).length, 2)
    assert.equal(statuses.filter((status) => status === 429).length, 48)
    const { users } = await databaseContent(service.db)
    assert.equal(users.filter(({ email }) => email.endsWith('@burst.example')).length, 2)
  })
})

test('with RATE_LIMITS=off limits nothing and sends no limit fields', async () => {
  const unlimited = await startService({ RATE_LIMITS: 'off', RATE_LIMIT_REQUEST_REPEAT: '1/1d' })
  for (let n = 0; n < 3; n += 1) {
    const answer = await unlimited.call('POST /auth/request', { body: { email: 'ana@example.com' } })
    assert.equal(answer.status, 200)
    assert.deepEqual([answer.headers.get('ratelimit'), answer.headers.get('ratelimit-policy')], [null, null])
  }
  await unlimited.close()
})
