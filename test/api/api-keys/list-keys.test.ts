import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sha256 } from '../../../src/lib/hash.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { createKey, exchange, listed, listKeys, tokenOf } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent } from '../../support/database/state.ts'

const ROUTE = 'GET /auth/api-keys'
const DAY_MS = 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const nowIso = (laterMs = 0) => new Date(service.clock.now() + laterMs).toISOString()
const list = (token: string) => listKeys(service, token)
const namesOf = async (token: string) => (await list(token)).map(({ name }) => name)

test('the list has exactly the documented fields of each key, newest first, and is not cached', async () => {
  const token = await service.signIn('ana@example.com')
  const untouched = { status: 'ACTIVE', lastUsedAt: null, revokedAt: null }
  const { apiKey: first } = await createKey(service, token, { name: 'First' })
  const firstListed = { ...first, ...untouched, createdAt: nowIso(), expiresAt: null }
  service.clock.advance(1)
  const { apiKey: second } = await createKey(service, token, { name: 'Second', expiresInDays: 90 })
  const secondListed = { ...second, ...untouched, createdAt: nowIso(), expiresAt: nowIso(90 * DAY_MS) }

  const answer = await assertNothingHappens(service, () => service.call(ROUTE, { token }))
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, { apiKeys: [secondListed, firstListed] })
  assert.match(answer.text, /"createdAt":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/)
  assertUncacheable(answer)
})

test('keys are listed newest first, also keys of one millisecond and revoked ones', async () => {
  const token = await service.signIn('bob@example.com')
  const ids: string[] = []
  for (const name of ['a', 'c', 'b', 'd']) {
    ids.unshift((await createKey(service, token, { name })).apiKey.id)
    if (name === 'c') service.clock.advance(1000)
  }
  await service.call(`POST /auth/api-keys/${ids[1]}/revoke`, { token })
  assert.deepEqual(
    (await list(token)).map(({ id }) => id),
    ids,
  )
})

test('a key is ACTIVE until the last millisecond and EXPIRED from then on, as in the exchange', async () => {
  const token = await service.signIn('cia@example.com')
  const key = await createKey(service, token, { expiresInDays: 1 })
  service.clock.advance(DAY_MS - 1)
  assert.equal((await listed(service, token, key.apiKey.id)).status, 'ACTIVE')
  assert.equal((await exchange(service, key)).status, 200)
  service.clock.advance(1)
  assert.equal((await listed(service, token, key.apiKey.id)).status, 'EXPIRED')
  assertError(await exchange(service, key), 'INVALID_CREDENTIALS')
})

test('a revoked key is REVOKED with its time, and stays REVOKED when it expires', async () => {
  const token = await service.signIn('dan@example.com')
  const { apiKey } = await createKey(service, token, { expiresInDays: 1 })
  const revokedAt = nowIso()
  await service.call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token })
  for (const step of [0, DAY_MS]) {
    service.clock.advance(step)
    const key = await listed(service, token, apiKey.id)
    assert.deepEqual([key.status, key.revokedAt], ['REVOKED', revokedAt])
  }
})

test('a key from before the owner’s first sign-in is AWAITS_OWNER until it expires or is revoked', async () => {
  const stranger = await service.signUp('eva@example.com')
  assert.deepEqual(
    (await list(stranger.token)).map(({ status }) => status),
    ['ACTIVE'],
  )
  const { apiKey: expiring } = await createKey(service, stranger.token, { expiresInDays: 1 })
  const { apiKey: refused } = await createKey(service, stranger.token)
  const owner = await service.signIn('eva@example.com')
  await service.call(`POST /auth/api-keys/${refused.id}/revoke`, { token: owner })
  const statuses = async () => (await list(owner)).map(({ status }) => status)
  assert.deepEqual(await statuses(), ['REVOKED', 'AWAITS_OWNER', 'AWAITS_OWNER'])
  service.clock.advance(DAY_MS)
  assert.deepEqual(await statuses(), ['REVOKED', 'EXPIRED', 'AWAITS_OWNER'])
  assert.equal((await listed(service, owner, expiring.id)).revokedAt, null)
})

test('no response contains a secret, a hash or the maker of a key [K2]', async () => {
  const token = await service.signIn('fay@example.com')
  const key = await createKey(service, token)
  const ofKey = await tokenOf(service, key)
  const descendant = await createKey(service, ofKey)
  const { users, apiKeys } = await databaseContent(service.db)
  for (const caller of [token, ofKey]) {
    const { text, body } = await service.call(ROUTE, { token: caller })
    assert.equal(body.apiKeys.length, 2)
    const secrets = [key.keySecret, descendant.keySecret]
    const secretTexts = [
      'pls_',
      ...secrets,
      ...secrets.map((secret) => secret.slice(4, 47)),
      ...secrets.map(sha256),
      ...apiKeys.map((row) => row.secret_hash),
      ...users.map(({ id }) => id),
    ]
    assert.deepEqual(
      secretTexts.filter((word) => text.includes(word)),
      [],
    )
    assert.equal(text.split(key.apiKey.id).length, 2, 'the id of the maker appears only as its own entry')
  }
})

test('another user’s keys are never listed, whatever the query contains', async () => {
  const gil = await service.signIn('gil@example.com')
  const hal = await service.signIn('hal@example.com')
  await createKey(service, gil, { name: 'of Gil' })
  const userId = (await service.call('GET /users/me', { token: gil })).body.user.id
  assert.deepEqual((await service.call(ROUTE, { token: hal })).body, { apiKeys: [] })
  for (const query of [`userId=${userId}`, `user_id=${userId}`, 'all=true&limit=100'])
    assertError(await service.call(`${ROUTE}?${query}`, { token: hal }), 'VALIDATION_FAILED')
  await createKey(service, hal, { name: 'of Hal' })
  assert.deepEqual(await namesOf(hal), ['of Hal'])
  assert.deepEqual(await namesOf(gil), ['of Gil'])
})

test('lastUsedAt is the last call made with the key or a token of it, whatever that call answered', async () => {
  const owner = await service.signIn('ivo@example.com')
  const key = await createKey(service, owner)
  const token = await tokenOf(service, key)
  const lastUsedAt = async () => (await listed(service, owner, key.apiKey.id)).lastUsedAt
  const calls = ['GET /users/me', 'GET /auth/check', 'DELETE /users/me', 'POST /payment-links', 'POST /auth/api-keys']
  for (const route of calls) {
    service.clock.advance(1000)
    await service.call(route, { token })
    const usedAt = nowIso()
    await service.deps.keyUse.flush()
    service.clock.advance(5000)
    await service.call('GET /users/me', { token: owner })
    await service.deps.keyUse.flush()
    assert.equal(await lastUsedAt(), usedAt, route)
  }
  const earlier = await lastUsedAt()
  service.clock.advance(1000)
  await service.call('POST /auth/tokens/revoke', { token: owner })
  await service.call('GET /users/me', { token })
  await service.deps.keyUse.flush()
  const again = await service.signIn('ivo@example.com')
  const { lastUsedAt: afterwards } = await listed(service, again, key.apiKey.id)
  assert.equal(afterwards, earlier, 'a refused token is no use of its key')
})

test('the token of a signup is one of its first key', async () => {
  const { token, apiKey } = await service.signUp('iza@example.com')
  await service.call('GET /users/me', { token })
  const usedAt = nowIso()
  await service.deps.keyUse.flush()
  assert.equal((await listed(service, token, apiKey.id)).lastUsedAt, usedAt)
})

test('lastUsedAt is the time of the last exchange of that key', async () => {
  const token = await service.signIn('ida@example.com')
  const used = await createKey(service, token)
  const unused = await createKey(service, token)
  for (const wait of [1000, 120_000]) {
    service.clock.advance(wait)
    await tokenOf(service, used)
    const usedAt = nowIso()
    await service.deps.keyUse.flush()
    service.clock.advance(5000)
    assert.equal((await listed(service, token, used.apiKey.id)).lastUsedAt, usedAt)
    assert.equal((await listed(service, token, unused.apiKey.id)).lastUsedAt, null)
  }
})

test('a refused exchange does not count as a use of a key', async () => {
  const stranger = await service.signUp('jon@example.com')
  const owner = await service.signIn('jon@example.com')
  const key = await createKey(service, owner)
  await exchange(service, { ...key, keySecret: stranger.keySecret })
  assertError(await exchange(service, stranger), 'KEY_AWAITS_OWNER')
  await service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token: owner })
  await exchange(service, key)
  await service.deps.keyUse.flush()
  assert.deepEqual(
    (await list(owner)).map(({ lastUsedAt }) => lastUsedAt),
    [null, null],
  )
})

test('any name is returned unchanged [CVE-2026-33468]', async () => {
  const token = await service.signIn('kim@example.com')
  const names = ["'); DROP TABLE api_keys;--", '<b>"x"</b>\\u0000', 'cheie nouă 🔑', 'مفتاح', '👩🏽\u200d💻']
  for (const name of names) await createKey(service, token, { name })
  assert.deepEqual(await namesOf(token), names.toReversed())
})

test('only callers with a valid token get the list', async () => {
  const token = await service.signIn('leo@example.com')
  const ofKey = await tokenOf(service, await createKey(service, token))
  assert.equal((await service.call(ROUTE, { token: ofKey })).text, (await service.call(ROUTE, { token })).text)
  await service.call('POST /auth/tokens/revoke', { token })
  for (const dead of [undefined, 'forged', token, ofKey]) {
    const answer = await service.call(ROUTE, dead === undefined ? {} : { token: dead })
    assertError(answer, 'UNAUTHORIZED', 'Unauthorized')
  }
})
