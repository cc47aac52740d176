/** No limit is bypassed by another spelling, another network of the same subscriber, a header field or concurrency. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { exchange } from '../../../support/accounts/keys.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { sendRaw } from '../../../support/wire/raw.ts'
import { startService } from '../../../support/service.ts'
import type { Answer, Service } from '../../../support/service.ts'
import { databaseContent, recipientsOf } from '../../../support/database/state.ts'

let service: Service
before(async () => {
  service = await startService({ ...productionLimits, RATE_LIMIT_SIGNUP_HOUR: '100/1h' })
})
after(() => service.close())

const ask = (email: string, client: string) =>
  service.call('POST /auth/request', { body: { email }, headers: from(client) })
const guess = (keyId: string, keySecret: string, client: string) =>
  service.call('POST /auth/api/token', { body: { keyId, keySecret }, headers: from(client) })
const count = (answers: readonly Answer[], status: number) =>
  answers.filter((answer) => answer.status === status).length

test('1000 addresses of one IPv6 /64, in any spelling, count as one client [CVE-2026-45364]', async () => {
  const answers: Answer[] = []
  for (let round = 0; round < 10; round++) {
    const some = Array.from({ length: 100 }, (_, index) => {
      const n = round * 100 + index
      const host = [n * 7919, n * 104_729, n, n ^ 0xffff].map((part) => (part & 0xffff).toString(16))
      const written = [
        `2001:db8:aa:1:${host.join(':')}`,
        `2001:0DB8:00AA:0001:${host
          .map((part) => part.padStart(4, '0'))
          .join(':')
          .toUpperCase()}`,
        `2001:db8:aa:1::${host[3]}`,
        `[2001:db8:aa:1:${host.join(':')}]:${1024 + n}`,
      ][n % 4]
      return service.call('GET /auth/verify?token=guess', { headers: from(written ?? '') })
    })
    answers.push(...(await Promise.all(some)))
  }
  assert.equal(count(answers, 401), 30)
  assert.equal(count(answers, 429), 970)
  assertError(await service.call('GET /auth/verify?token=guess', { headers: from('2001:db8:aa:2::1') }), 'LINK_INVALID')
})

test('two IPv4-mapped clients have separate limits [CVE-2026-30827]', async () => {
  const fail = (client: string) => service.call('GET /auth/verify?token=guess', { headers: from(client) })
  const answers = await Promise.all(Array.from({ length: 40 }, () => fail('::ffff:192.0.2.101')))
  assert.equal(count(answers, 429), 10)
  assertError(await fail('192.0.2.101'), 'RATE_LIMITED')
  assertError(await fail('::FFFF:c000:0265'), 'RATE_LIMITED')
  assertError(await fail('::ffff:192.0.2.102'), 'LINK_INVALID')
})

test('an address in capitals, fullwidth letters, another form of its domain or between blanks counts as one address [CVE-2026-47203]', async () => {
  const spellings: Readonly<Record<string, readonly string[]>> = {
    'ana@example.com': [
      'ANA@example.com',
      'Ana@Example.COM',
      'ａｎａ@example.com',
      'ana@example。com',
      'ana@ｅxample.com',
      ' ana@example.com',
      'ana@example.com ',
      'ana@example.com\u00a0',
    ],
    'ana@b\u00fccher.example': [
      'ana@B\u00dcCHER.example',
      'ana@bu\u0308cher.example',
      'ana@xn--bcher-kva.example',
      'ana@XN--BCHER-KVA.example',
      'Ana@b\u00fccher\uff0eexample',
    ],
    'bob@stra\u00dfe.example': ['bob@xn--strae-oqa.example', 'BOB@STRA\u1e9eE.example'],
  }
  for (const [email, variants] of Object.entries(spellings)) {
    assert.equal((await ask(email, '192.0.2.110')).status, 200)
    for (const variant of variants) assertError(await ask(variant, '192.0.2.110'), 'RATE_LIMITED')
  }
  for (const email of ['ana @example.com', 'ana@example.com.', '\tana@example.com']) {
    assertError(await ask(email, '192.0.2.110'), 'VALIDATION_FAILED')
  }
  // A tagged address is the same mailbox.
  assertError(await ask('ana+x@example.com', '192.0.2.110'), 'RATE_LIMITED')
  const others = Array.from({ length: 40 }, (_, n) => ask(`another${n}@example.com`, '192.0.2.110'))
  const answers = await Promise.all(others)
  assert.equal(count(answers, 200), 30 - Object.keys(spellings).length)
  const sent = (await recipientsOf(service)).filter((recipient) => recipient.startsWith('ana@'))
  assert.equal(sent.length, 2)
})

test('a key id in another spelling names no key and adds no guesses at the key [CVE-2026-47203]', async () => {
  const { apiKey, keySecret } = await service.signUp('keys@example.com')
  const { keyId } = apiKey
  const client = '192.0.2.111'
  for (let n = 0; n < 10; n++) assertError(await guess(keyId, `wrong ${n}`, client), 'INVALID_CREDENTIALS')
  assertError(await guess(keyId, 'wrong', client), 'RATE_LIMITED')
  const swapped = [...String(keyId)].map((c) => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('')
  for (const variant of [
    ` ${keyId}`,
    `${keyId} `,
    swapped,
    keyId.toUpperCase(),
    keyId.replace('plk_', 'ｐｌｋ_'),
    `${keyId}\0`,
    keyId.slice(4),
  ]) {
    // Even with the right secret: the id names no key.
    assertError(await guess(variant, keySecret, client), 'INVALID_CREDENTIALS')
  }
  assertError(await guess(keyId, 'wrong', client), 'RATE_LIMITED')
})

test('a caller’s own header fields make no new client on any limited route [CVE-2023-36456]', async (t) => {
  const direct = await startService({ ...productionLimits, TRUST_PROXY: '' })
  t.after(() => direct.close())
  const spoof = (n: number) => ({
    'x-forwarded-for': `198.51.100.${n}`,
    'x-real-ip': `198.51.100.${n}`,
    forwarded: `for=198.51.100.${n}`,
    'x-client-ip': `198.51.100.${n}`,
    'cf-connecting-ip': `198.51.100.${n}`,
    'true-client-ip': `198.51.100.${n}`,
    'x-cluster-client-ip': `198.51.100.${n}`,
  })
  const statusesOf = async (times: number, call: (headers: Record<string, string>, n: number) => Promise<Answer>) => {
    const answers = []
    for (let n = 0; n < times; n++) answers.push(await call(spoof(n), n))
    return [count(answers, 429), times]
  }
  const byRoute = {
    signup: await statusesOf(7, (headers, n) =>
      direct.call('POST /auth/api/signup', { body: { email: `n${n}@example.com` }, headers }),
    ),
    request: await statusesOf(3, (headers) =>
      direct.call('POST /auth/request', { body: { email: 'ana@example.com' }, headers }),
    ),
    token: await statusesOf(12, (headers) =>
      direct.call('POST /auth/api/token', { body: { keyId: 'plk_x', keySecret: 'x' }, headers }),
    ),
    verify: await statusesOf(20, (headers) => direct.call('GET /auth/verify?token=guess', { headers })),
    inspect: await statusesOf(20, (headers) =>
      direct.call('POST /auth/links/inspect', { body: { token: 'guess' }, headers }),
    ),
  }
  // Five signups, one request, ten guesses at a key, and thirty at a link by two routes that share a count.
  assert.deepEqual(byRoute, { signup: [2, 7], request: [2, 3], token: [2, 12], verify: [0, 20], inspect: [10, 20] })
  assert.equal((await databaseContent(direct.db)).users.length, 5)
})

test('behind a proxy the right-most X-Forwarded-For entry counts, whatever the caller sends [CVE-2023-36456]', async () => {
  const fail = (...fields: readonly string[]) =>
    sendRaw(service.origin, ['GET /api/v1/auth/verify?token=guess HTTP/1.1', ...fields])
  const answers = []
  for (let n = 0; n < 34; n++) {
    const own = `10.9.${n}.1`
    answers.push(
      n % 2
        ? await fail(`X-Forwarded-For: ${own}, 192.0.2.120`)
        : await fail(`X-Forwarded-For: ${own}`, 'X-Forwarded-For: 192.0.2.120'),
    )
  }
  assert.equal(count(answers, 401), 30)
  assert.equal(count(answers, 429), 4)
})

test('every endpoint that takes a secret counts guesses, and the endpoints for one kind of secret share a count [CVE-2026-9798]', async () => {
  const headers = from('192.0.2.130')
  const posts = ['POST /auth/links/inspect', 'POST /auth/links/not-me', 'POST /auth/mail/resume'] as const
  const endpoints = [
    () => service.call('GET /auth/verify?token=guess', { headers }),
    ...posts.map((route) => () => service.call(route, { body: { token: 'guess' }, headers })),
  ]
  const answers: Answer[] = []
  for (let n = 0; n < 10; n++) for (const endpoint of endpoints) answers.push(await endpoint())
  assert.equal(count(answers, 401), 30)
  assert.equal(count(answers, 429), 10)
  for (const endpoint of endpoints) assertError(await endpoint(), 'RATE_LIMITED')
  // Closed signup applies to every entry: a link creates no account either.
  const closed = await startService({ SIGNUP: 'closed' })
  assertError(await closed.call('POST /auth/api/signup', { body: { email: 'new@example.com' } }), 'SIGNUP_CLOSED')
  await closed.call('POST /auth/request', { body: { email: 'new@example.com' } })
  const [token] = /(?<=token=)[\w-]+/.exec((await closed.smtp.mailTo('new@example.com')).message.text ?? '') ?? []
  assertError(await closed.call(`GET /auth/verify?token=${token}`), 'SIGNUP_CLOSED')
  assert.equal((await databaseContent(closed.db)).users.length, 0)
  await closed.close()
})

test('a distributed flood on a key id does not lock its owner out [CVE-2024-1722]', async () => {
  const key = await service.signUp('flooded@example.com')
  const floods = Array.from({ length: 200 }, (_, n) => guess(key.apiKey.keyId, `wrong ${n}`, `203.0.113.${n % 10}`))
  const answers = await Promise.all(floods)
  assert.equal(count(answers, 401), 100)
  assert.equal(count(answers, 429), 100)
  for (const client of ['203.0.113.1', '192.0.2.140']) {
    assert.equal((await guess(key.apiKey.keyId, key.keySecret, client)).status, 200, 'even from a network of the flood')
  }
  assert.equal((await exchange(service, key)).status, 200)
})

test('500 concurrent wrong secrets count as ten guesses, and 500 links as thirty [CVE-2024-4629]', async () => {
  const { apiKey } = await service.signUp('burst@example.com')
  const secrets = Array.from({ length: 500 }, (_, n) => guess(apiKey.keyId, `wrong ${n}`, '192.0.2.150'))
  const guesses = await Promise.all(secrets)
  assert.equal(count(guesses, 401), 10)
  assert.equal(count(guesses, 429), 490)

  const links = Array.from({ length: 500 }, (_, n) =>
    service.call(`GET /auth/verify?token=guess${n}`, { headers: from('192.0.2.150') }),
  )
  const answers = await Promise.all(links)
  assert.equal(count(answers, 401), 30)
  assert.equal(count(answers, 429), 470)
})
