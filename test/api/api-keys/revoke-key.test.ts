import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { withFailingUpdates, withReadOnlyStorage } from '../../support/database/faults.ts'
import { createKey, exchange, listed, statesOf, tokenOf } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Call, Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, recipientsOf } from '../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const revoke = (id: string, call: Call) => service.call(`POST /auth/api-keys/${id}/revoke`, call)

test('revoking a key returns exactly its current state, is not cached, and changes that key only', async () => {
  const token = await service.signIn('ana@example.com')
  const { apiKey } = await createKey(service, token, { name: 'Billing', expiresInDays: 30 })
  await createKey(service, token)
  const stored = await databaseContent(service.db)
  service.clock.advance(1500)
  const answer = await revoke(apiKey.id, { token })
  const revokedAt = new Date(service.clock.now()).toISOString()
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { apiKey: { ...apiKey, status: 'REVOKED', lastUsedAt: null, revokedAt } })
  assertUncacheable(answer)
  assert.deepEqual(await listed(service, token, apiKey.id), answer.body.apiKey)

  const row = stored.apiKeys.find(({ id }) => id === apiKey.id)
  Object.assign(row ?? {}, { revoked_at_ms: service.clock.now() })
  const afterwards = await databaseContent(service.db)
  assert.deepEqual([afterwards.apiKeys, afterwards.users], [stored.apiKeys, stored.users])
})

test('revoking again returns the same, with the first time, and changes nothing [K5]', async () => {
  const token = await service.signIn('bob@example.com')
  const { apiKey } = await createKey(service, token)
  const first = await revoke(apiKey.id, { token })
  // Advancing the clock would expire the lease of a mail being sent, and it would be sent again.
  await recipientsOf(service)
  service.clock.advance(60_000)
  const second = await assertNothingHappens(service, () => revoke(apiKey.id, { token }))
  assert.equal(second.status, 200)
  assert.equal(second.text, first.text)
})

test('revoking a key invalidates exactly the tokens of that key [K6]', async () => {
  const signIn = await service.signIn('cia@example.com')
  const revoked = await createKey(service, signIn)
  const dead = [await tokenOf(service, revoked), await tokenOf(service, revoked)]
  // Without `withDescendants`, keys created with the revoked key stay active.
  const descendant = await createKey(service, dead[0] ?? '')
  const sibling = await createKey(service, signIn)
  const stranger = await createKey(service, await service.signIn('dan@example.com'))
  const living = [signIn, await tokenOf(service, descendant), await tokenOf(service, sibling)]
  const strangers = [await tokenOf(service, stranger)]

  assert.equal((await revoke(revoked.apiKey.id, { token: signIn })).status, 200)
  assert.deepEqual(await statesOf(service, dead), ['UNAUTHORIZED', 'UNAUTHORIZED'])
  assert.deepEqual(await statesOf(service, living), Array(3).fill('cia@example.com'))
  assert.deepEqual(await statesOf(service, strangers), ['dan@example.com'])
  for (const key of [descendant, sibling, stranger]) assert.equal((await exchange(service, key)).status, 200)
})

test('a revoked key cannot be exchanged, and gets the same response as an unknown key', async () => {
  const token = await service.signIn('eva@example.com')
  const key = await createKey(service, token)
  await revoke(key.apiKey.id, { token })
  const refused = await exchange(service, key)
  assertError(refused, 'INVALID_CREDENTIALS')
  const unknown = await exchange(service, { ...key, apiKey: { ...key.apiKey, keyId: `plk_${'0'.repeat(22)}` } })
  assert.equal(fingerprintOf(refused), fingerprintOf(unknown))
})

test('a key’s own token can revoke the key, which invalidates the token', async () => {
  const owner = await service.signIn('fay@example.com')
  const key = await createKey(service, owner)
  const token = await tokenOf(service, key)
  const answer = await revoke(key.apiKey.id, { token })
  assert.equal(answer.body.apiKey.status, 'REVOKED')
  assertError(await assertNothingHappens(service, () => revoke(key.apiKey.id, { token })), 'UNAUTHORIZED')
  assert.deepEqual(await statesOf(service, [token, owner]), ['UNAUTHORIZED', 'fay@example.com'])
})

test('the first key of a signup can be revoked with its own token before the address is proven', async () => {
  const signup = await service.signUp('gil@example.com')
  assert.equal((await revoke(signup.apiKey.id, { token: signup.token })).status, 200)
  assert.deepEqual(await statesOf(service, [signup.token]), ['UNAUTHORIZED'])
  assertError(await exchange(service, signup), 'INVALID_CREDENTIALS')
})

test('quarantined and expired keys can be revoked for good', async () => {
  const stranger = await service.signUp('hal@example.com')
  const owner = await service.signIn('hal@example.com')
  const expiring = await createKey(service, owner, { expiresInDays: 1 })
  service.clock.advance(24 * 3600 * 1000)
  for (const key of [stranger, expiring]) {
    assert.equal((await revoke(key.apiKey.id, { token: owner })).body.apiKey.status, 'REVOKED')
    assertError(await exchange(service, key), 'INVALID_CREDENTIALS')
  }
})

test('another user’s key gets the same 404 as an unknown id, and still works [K5]', async () => {
  const ida = await service.signIn('ida@example.com')
  const key = await createKey(service, ida)
  const tokens = [ida, await tokenOf(service, key)]
  const jon = await service.signIn('jon@example.com')
  const ofKey = await tokenOf(service, await createKey(service, jon))
  await assertNothingHappens(service, async () => {
    for (const token of [jon, ofKey]) {
      const answer = await revoke(key.apiKey.id, { token })
      assertError(answer, 'NOT_FOUND')
      const unknown = await revoke('0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11', { token })
      assert.equal(fingerprintOf(answer), fingerprintOf(unknown))
    }
  })
  assert.deepEqual(await statesOf(service, tokens), Array(2).fill('ida@example.com'))
  assert.equal((await exchange(service, key)).status, 200)
})

test('any text that is not the id of a key of the caller is a 404, and nothing is revoked [CVE-2026-33468]', async () => {
  const token = await service.signIn('kim@example.com')
  const { apiKey } = await createKey(service, token)
  const { id, keyId } = apiKey
  const ids = [
    keyId,
    id.toUpperCase(),
    `${id}%20`,
    `%20${id}`,
    `${id}%00`,
    `${id}%2F`,
    id.slice(0, -1),
    `${id}${id}`,
    '0',
    '-1',
    'null',
    'undefined',
    '*',
    '%25',
    '%5F',
    '%00',
    '__proto__',
    ':id',
    '%F0%9F%94%91',
    "'%20OR%20'1'='1",
    `${id}'--`,
    '1;DROP%20TABLE%20api_keys',
    '..%2F..%2Fusers',
    'a'.repeat(101),
    'a'.repeat(8000),
  ]
  await assertNothingHappens(service, async () => {
    for (const wrong of ids) assertError(await revoke(wrong, { token }), 'NOT_FOUND')
    for (const wrong of ['unknown', 'a'.repeat(8000)]) assertError(await revoke(wrong, {}), 'UNAUTHORIZED')
    assertError(await service.call(`POST /auth/api-keys//revoke`, { token }), 'NOT_FOUND')
    for (const broken of ['%', '%zz', '%ED%A0%80']) assertError(await revoke(broken, { token }), 'VALIDATION_FAILED')
  })
})

test('an empty JSON body is accepted; a body with fields is refused and revokes nothing', async () => {
  const token = await service.signIn('leo@example.com')
  const { apiKey: other } = await createKey(service, token)
  const { apiKey: kept } = await createKey(service, token)
  const refused: [string, string][] = [
    [`{"id":"${other.id}"}`, 'This operation takes no body. Send `withDescendants` in the query of the URL.'],
    ['{"withDescendants":true}', 'This operation takes no body. Send `withDescendants` in the query of the URL.'],
    [`["${other.id}"]`, 'This operation takes no body. Send `withDescendants` in the query of the URL.'],
  ]
  for (const [body, message] of refused) {
    assertError(await revoke(kept.id, { token, body }), 'VALIDATION_FAILED', message)
    assert.equal((await listed(service, token, kept.id)).status, 'ACTIVE')
  }
  for (const body of ['', '{}', 'null', '[]']) {
    const { apiKey } = await createKey(service, token)
    const answer = await revoke(apiKey.id, { token, body })
    assert.equal(answer.status, 200, `${body} ${answer.text}`)
    assert.deepEqual([answer.body.apiKey.id, answer.body.apiKey.status], [apiKey.id, 'REVOKED'])
  }
  assert.equal((await listed(service, token, other.id)).status, 'ACTIVE')
})

test('a broken body, another media type, a GET and a call without a token revoke nothing', async () => {
  const token = await service.signIn('mia@example.com')
  const { id } = (await createKey(service, token)).apiKey
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await assertNothingHappens(service, async () => {
    assertError(await revoke(id, { token, body: '{' }), 'VALIDATION_FAILED')
    assertError(await revoke(id, { token, body: 'a=b', headers }), 'VALIDATION_FAILED')
    assertError(await revoke(id, {}), 'UNAUTHORIZED', 'Unauthorized')
    assertError(await revoke(id, { token: 'forged', body: '{' }), 'UNAUTHORIZED', 'Unauthorized')
    assertError(await service.call(`GET /auth/api-keys/${id}/revoke`, { token }), 'METHOD_NOT_ALLOWED')
  })
})

test('a revocation that cannot be stored is a 5xx, never a 2xx, and the key is unchanged [F15, CVE-2020-15223]', async () => {
  const token = await service.signIn('ned@example.com')
  const key = await createKey(service, token)
  const ofKey = await tokenOf(service, key)
  const attempt = () => revoke(key.apiKey.id, { token })
  await assertNothingHappens(service, async () => {
    const failed = await withFailingUpdates(service.db, ['api_keys', 'revoked_at_ms'], attempt)
    assertError(failed, 'INTERNAL', 'Internal error. Report it with the X-Request-Id of this response.')
    const unavailable = await withReadOnlyStorage(service.db, attempt)
    assertError(unavailable, 'UNAVAILABLE')
    assert.match(unavailable.headers.get('retry-after') ?? '', /^\d+$/)
  })
  assert.deepEqual(await statesOf(service, [ofKey]), ['ned@example.com'])
  assert.equal((await attempt()).body.apiKey.status, 'REVOKED')
  assert.deepEqual(await statesOf(service, [ofKey]), ['UNAUTHORIZED'])
})
