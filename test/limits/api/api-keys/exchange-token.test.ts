/** `POST /auth/api/token` with production limits: guessing ends in 429, and a right secret is never locked out. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

let service: Service

before(async () => {
  service = await startService({ ...productionLimits, RATE_LIMIT_SIGNUP_HOUR: '100/1h' })
})
after(() => service.close())

const exchange = (keyId: string, keySecret: string, address: string) =>
  service.call('POST /auth/api/token', { body: { keyId, keySecret }, headers: from(address) })

test('of 100 concurrent wrong secrets 10 are answered, and the right one still works', async () => {
  const { apiKey, keySecret } = await service.signUp('ana@example.com')
  const { keyId } = apiKey
  const guesses = Array.from({ length: 100 }, (_, n) => exchange(keyId, `guess ${n}`, '192.0.2.1'))
  const answers = await Promise.all(guesses)
  assert.equal(answers.filter(({ status }) => status === 401).length, 10)
  const refused = answers.filter(({ status }) => status === 429)
  assert.equal(refused.length, 90)
  for (const answer of refused) {
    assertError(answer, 'RATE_LIMITED', /^Too many requests\. Try again in \d+ seconds\.$/)
    assert.match(answer.headers.get('ratelimit-policy') ?? '', /"exchange-failures";q=10;w=60$/)
    assert.match(answer.headers.get('ratelimit') ?? '', /"exchange-failures";r=0;t=900$/)
    assert.match(answer.headers.get('retry-after') ?? '', /^900$/)
  }
  const right = await exchange(keyId, keySecret, '192.0.2.1')
  assert.equal(right.status, 200, 'the owner, from the guessing address')
  assertError(await exchange(keyId, 'guess', '192.0.2.1'), 'RATE_LIMITED')
})

test('failures of one network or for one key id do not count against another', async () => {
  const mine = await service.signUp('bob@example.com')
  const other = await service.signUp('cia@example.com')
  for (let n = 0; n < 11; n++) await exchange(mine.apiKey.keyId, 'guess', '2001:db8:1:2::1')
  assertError(await exchange(mine.apiKey.keyId, 'guess', '2001:db8:1:2:3::4'), 'RATE_LIMITED')
  assertError(await exchange(mine.apiKey.keyId, 'guess', '2001:db8:1:3::1'), 'INVALID_CREDENTIALS')
  assertError(await exchange(other.apiKey.keyId, 'guess', '2001:db8:1:2::1'), 'INVALID_CREDENTIALS')
})

test('guesses at an unknown key id end in 429 like those at a known one', async () => {
  const statuses = []
  for (let n = 0; n < 11; n++) statuses.push((await exchange('plk_unknown', 'guess', '192.0.2.2')).status)
  assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429])
})

test('the 301st wrong secret from one network in a minute gets 429, whatever the key ids; a right one works', async () => {
  const { apiKey, keySecret } = await service.signUp('fay@example.com')
  const guess = (n: number) => exchange(`plk_guessed${n}`, 'guess', '192.0.2.3')
  const guesses = Array.from({ length: 310 }, (_, n) => guess(n))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 401).length, 300)
  assert.equal(statuses.filter((status) => status === 429).length, 10)
  assert.equal((await exchange(apiKey.keyId, keySecret, '192.0.2.3')).status, 200)
  assertError(await exchange('plk_guessed', 'guess', '192.0.2.4'), 'INVALID_CREDENTIALS')
})

test('the 121st token for one key in a minute gets 429, and other keys of the account still work', async () => {
  const { apiKey, keySecret, token } = await service.signUp('dan@example.com')
  const second = (await service.call('POST /auth/api-keys', { token })).body
  const uses = Array.from({ length: 120 }, (_, n) => exchange(apiKey.keyId, keySecret, `192.0.2.${n}`))
  for (const { status } of await Promise.all(uses)) assert.equal(status, 200)
  const refused = await exchange(apiKey.keyId, keySecret, '198.51.100.1')
  assertError(refused, 'RATE_LIMITED')
  assert.match(refused.headers.get('ratelimit') ?? '', /^"exchange-key";r=0;t=1$/)
  assert.doesNotMatch(refused.text, /eyJ/)
  assert.equal((await exchange(second.apiKey.keyId, second.keySecret, '198.51.100.1')).status, 200)
})

test('wrong secrets do not use up a key’s tokens', async () => {
  const { apiKey, keySecret } = await service.signUp('eva@example.com')
  const wrong = Array.from({ length: 130 }, (_, n) => exchange(apiKey.keyId, 'guess', `203.0.113.${n}`))
  for (const { status } of await Promise.all(wrong)) assert.equal(status, 401)
  const right = await exchange(apiKey.keyId, keySecret, '198.51.100.2')
  assert.equal(right.status, 200)
  assert.match(right.headers.get('ratelimit') ?? '', /^"exchange-key";r=119;/)
})
