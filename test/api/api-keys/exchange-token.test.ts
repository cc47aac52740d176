import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, fingerprintOf, shapeOf } from '../../support/http/answers.ts'
import { assertOnlyObjects } from '../../support/http/bodies.ts'
import { createKey, listed } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens } from '../../support/database/state.ts'
import { read } from '../../support/accounts/tokens.ts'

const ROUTE = 'POST /auth/api/token'
const DAY_MS = 24 * 3600_000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const exchange = (keyId: unknown, keySecret: unknown) => service.call(ROUTE, { body: { keyId, keySecret } })

test('exchanging a key returns exactly the fields of the specification and is not cached [J16]', async () => {
  const { user, apiKey, keySecret } = await service.signUp('ana@example.com')
  const answer = await exchange(apiKey.keyId, keySecret)
  assert.equal(answer.status, 200)
  assert.deepEqual(shapeOf(answer.body), {
    token: 'string',
    tokenType: 'string',
    expiresInSeconds: 'number',
    user: { id: 'string', email: 'string', role: 'string' },
  })
  const { token, ...rest } = answer.body
  const expected = { id: user.id, email: 'ana@example.com', role: 'USER' }
  assert.deepEqual(rest, { tokenType: 'Bearer', expiresInSeconds: 3600, user: expected })
  assertUncacheable(answer)

  const { iat, exp, jti, ...claims } = read(token).claims
  assert.equal(Number(exp) - Number(iat), 3600)
  assert.ok(jti)
  const fixed = { iss: service.origin, aud: service.baseUrl, role: 'USER', tokenVersion: 0 }
  assert.deepEqual(claims, { ...fixed, sub: user.id, amr: ['api_key'], apiKeyId: apiKey.id })
  assert.equal((await service.call('GET /users/me', { token })).status, 200)
})

test('two exchanges return two tokens, and both work', async () => {
  const { apiKey, keySecret } = await service.signUp('bob@example.com')
  const tokens = []
  for (let n = 0; n < 2; n++) tokens.push((await exchange(apiKey.keyId, keySecret)).body.token)
  assert.notEqual(tokens[0], tokens[1])
  for (const token of tokens) assert.equal((await service.call('GET /users/me', { token })).status, 200)
})

test('an unknown id, a wrong secret, another key’s secret, a revoked key and an expired key get identical responses [K4]', async () => {
  const mine = await service.signUp('cia@example.com')
  const other = await service.signUp('dan@example.com')
  const revoked = await createKey(service, mine.token)
  await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token: mine.token })
  const expired = await createKey(service, mine.token, { expiresInDays: 1 })
  service.clock.advance(DAY_MS)

  const { keyId } = mine.apiKey
  const pairs: [string, string][] = [
    [`${keyId.slice(0, -1)}${keyId.endsWith('A') ? 'B' : 'A'}`, mine.keySecret],
    [keyId.toUpperCase(), mine.keySecret],
    [` ${keyId}`, mine.keySecret],
    [mine.apiKey.id, mine.keySecret],
    [keyId, other.keySecret],
    [other.apiKey.keyId, mine.keySecret],
    [keyId, mine.keySecret.slice(0, -1)],
    [keyId, `${mine.keySecret} `],
    [keyId, mine.keySecret.toLowerCase()],
    [mine.keySecret, keyId],
    [revoked.apiKey.keyId, revoked.keySecret],
    [expired.apiKey.keyId, expired.keySecret],
  ]
  const prints = new Set<string>()
  for (const [id, secret] of pairs) {
    const answer = await exchange(id, secret)
    assertError(answer, 'INVALID_CREDENTIALS')
    assert.equal(answer.headers.get('www-authenticate'), null)
    prints.add(fingerprintOf(answer))
  }
  assert.equal(prints.size, 1, [...prints].join('\n'))
  assert.equal((await exchange(keyId, mine.keySecret)).status, 200)
})

test('a key works until the last millisecond before it expires', async () => {
  const { token } = await service.signUp('eva@example.com')
  const { apiKey, keySecret } = await createKey(service, token, { expiresInDays: 1 })
  service.clock.advance(DAY_MS - 1)
  const last = await exchange(apiKey.keyId, keySecret)
  assert.equal(last.status, 200)
  service.clock.advance(1)
  assertError(await exchange(apiKey.keyId, keySecret), 'INVALID_CREDENTIALS')
  assertError(await service.call('GET /users/me', { token: last.body.token }), 'UNAUTHORIZED')
})

test('any string is a valid credential to the schema: a wrong one is a 401, never a 400 or a 500', async () => {
  const { apiKey, keySecret } = await service.signUp('fay@example.com')
  const short = ['', ' ', 'x', '\u0000', '\ud800', '🦊', "' or 1=1 --", 'pls_', '__proto__', 'null']
  const anything = [...short, 'a'.repeat(10_000), '🦊'.repeat(5000)]
  for (const text of anything) {
    assertError(await exchange(text, keySecret), 'INVALID_CREDENTIALS')
    assertError(await exchange(apiKey.keyId, text), 'INVALID_CREDENTIALS')
    assertError(await exchange(text, text), 'INVALID_CREDENTIALS')
  }
})

test('wrong types, missing and unknown fields are refused with the name of the field and without its value', async () => {
  const { apiKey, keySecret } = await service.signUp('gus@example.com')
  const { keyId } = apiKey
  await assertOnlyObjects(service, ROUTE)
  const refused: [unknown, string | RegExp][] = [
    [undefined, /^The body must be a JSON object(, not an? [a-z]+)?\.$/],
    [{}, '`keyId` is required.'],
    [{ keyId }, '`keySecret` is required.'],
    [{ keySecret }, '`keyId` is required.'],
    [{ keyId: null, keySecret }, /^`keyId` must be a string, not /],
    [{ keyId: [keyId], keySecret }, /^`keyId` must be a string, not /],
    [{ keyId: { $ne: '' }, keySecret }, /^`keyId` must be a string, not /],
    [{ keyId, keySecret: [keySecret] }, /^`keySecret` must be a string, not /],
    [{ keyId, keySecret: 1 }, /^`keySecret` must be a string, not /],
    [{ keyId, keySecret, grant_type: 'x' }, '`grant_type` is not a known field.'],
  ]
  for (const [body, message] of refused) {
    assertError(await service.call(ROUTE, { body }), 'VALIDATION_FAILED', message)
  }
})

test('only the correct secret of a key that awaits its owner gets KEY_AWAITS_OWNER', async () => {
  const thief = await service.signUp('hal@example.com')
  await service.signIn('hal@example.com')
  const { keyId } = thief.apiKey
  assertError(await exchange(keyId, thief.keySecret), 'KEY_AWAITS_OWNER')
  const other = await service.signUp('ian@example.com')
  assertError(await exchange(keyId, other.keySecret), 'INVALID_CREDENTIALS')
  const misspelled = thief.keySecret.slice(0, -1) + (thief.keySecret.endsWith('x') ? 'y' : 'x')
  assertError(await exchange(keyId, misspelled), 'INVALID_CREDENTIALS')
})

test('the last use of a key is written later, once for any number of uses, and not for failures [K8]', async () => {
  const { apiKey, keySecret, token } = await service.signUp('jon@example.com')
  const lastUsedAt = async () => (await listed(service, token, apiKey.id)).lastUsedAt
  await exchange(apiKey.keyId, 'wrong')
  await service.deps.keyUse.flush()
  assert.equal(await lastUsedAt(), null)

  await assertNothingHappens(service, async () => {
    for (let n = 0; n < 3; n++) {
      service.clock.advance(1000)
      assert.equal((await exchange(apiKey.keyId, keySecret)).status, 200)
    }
  })
  await service.deps.keyUse.flush()
  assert.equal(await lastUsedAt(), new Date(service.clock.now()).toISOString())
})
