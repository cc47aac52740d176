import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { withFailingUpdates, withReadOnlyStorage } from '../../support/database/faults.ts'
import { signUpAndClaim, createKey, exchange, listed, statesOf, tokenOf } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Call, Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, recipientsOf } from '../../support/database/state.ts'

const DAY_MS = 24 * 3600 * 1000
const NO_BODY = 'This operation takes no body.'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const keep = (id: string, call: Call) => service.call(`POST /auth/api-keys/${id}/keep`, call)
const revoke = (id: string, token: string) => service.call(`POST /auth/api-keys/${id}/revoke`, { token })

test('keeping a key returns exactly its current state, is not cached, and changes that key only', async () => {
  const { owner, key } = await signUpAndClaim(service, 'ana@example.com', [{}])
  const { id, name, keyId } = key.apiKey
  const waiting = await listed(service, owner, id)
  assert.equal(waiting.status, 'AWAITS_OWNER')
  await recipientsOf(service)
  const stored = await databaseContent(service.db)
  service.clock.advance(1000)
  const answer = await keep(id, { token: owner })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    apiKey: {
      id,
      name,
      keyId,
      status: 'ACTIVE',
      createdAt: waiting.createdAt,
      lastUsedAt: null,
      expiresAt: null,
      revokedAt: null,
    },
  })
  assertUncacheable(answer)
  assert.deepEqual(await listed(service, owner, id), answer.body.apiKey)

  Object.assign(stored.apiKeys.find((row) => row.id === id) ?? {}, { awaits_owner_at_ms: null })
  const afterwards = await databaseContent(service.db)
  assert.deepEqual([afterwards.apiKeys, afterwards.users], [stored.apiKeys, stored.users])
})

test('a quarantined key works only after it is kept; tokens from before stay invalid', async () => {
  const { owner, stranger, keys } = await signUpAndClaim(service, 'bob@example.com', [{}])
  const [kept, waiting] = keys as [NewKey, NewKey]
  assertError(await exchange(service, kept), 'KEY_AWAITS_OWNER')
  await keep(kept.apiKey.id, { token: owner })
  const token = await tokenOf(service, kept)
  assert.deepEqual(await statesOf(service, [token, owner, stranger]), [
    'bob@example.com',
    'bob@example.com',
    'UNAUTHORIZED',
  ])
  assertError(await exchange(service, waiting), 'KEY_AWAITS_OWNER')
})

test('a token from an API key cannot keep any key: it gets 403 and nothing changes', async () => {
  const { owner, keys } = await signUpAndClaim(service, 'cia@example.com', [{}])
  const [kept, waiting] = keys as [NewKey, NewKey]
  await keep(kept.apiKey.id, { token: owner })
  const tokens = [await tokenOf(service, kept), await tokenOf(service, await createKey(service, owner))]
  const ids = [waiting.apiKey.id, kept.apiKey.id, 'unknown']
  await assertNothingHappens(service, async () => {
    for (const token of tokens) {
      for (const id of ids) assertError(await keep(id, { token }), 'SIGN_IN_REQUIRED')
    }
  })
  assertError(await exchange(service, waiting), 'KEY_AWAITS_OWNER')
})

test('the person who signed up cannot keep the key, neither before the owner signs in nor with an old token afterwards', async () => {
  const stranger = await service.signUp('dan@example.com')
  const { id } = stranger.apiKey
  await assertNothingHappens(service, async () => {
    assertError(await keep(id, { token: stranger.token }), 'SIGN_IN_REQUIRED')
  })
  await service.signIn('dan@example.com')
  await assertNothingHappens(service, async () => {
    assertError(await keep(id, { token: stranger.token }), 'UNAUTHORIZED', 'Unauthorized')
    assertError(await keep(id, {}), 'UNAUTHORIZED', 'Unauthorized')
    assertError(await keep(id, { token: 'forged' }), 'UNAUTHORIZED', 'Unauthorized')
  })
  assertError(await exchange(service, stranger), 'KEY_AWAITS_OWNER')
})

test('another user’s quarantined key gets the same 404 as an unknown id, and stays quarantined', async () => {
  const { key } = await signUpAndClaim(service, 'eva@example.com')
  const token = await service.signIn('fay@example.com')
  const { id, keyId } = key.apiKey
  await assertNothingHappens(service, async () => {
    const answer = await keep(id, { token })
    assertError(answer, 'NOT_FOUND')
    const unknown = await keep('0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11', { token })
    assert.equal(fingerprintOf(answer), fingerprintOf(unknown))
    for (const wrong of [keyId, `${id}%00`, "'%20OR%20'1'='1", '*', '%F0%9F%94%91', 'a'.repeat(8000)]) {
      assertError(await keep(wrong, { token }), 'NOT_FOUND')
    }
  })
  assertError(await exchange(service, key), 'KEY_AWAITS_OWNER')
})

test('keeping a key that is not quarantined changes nothing, and keeping twice returns the same', async () => {
  const { owner, key } = await signUpAndClaim(service, 'gil@example.com')
  const first = await keep(key.apiKey.id, { token: owner })
  const expired = await createKey(service, owner, { expiresInDays: 1 })
  // Advancing the clock would expire the lease of a mail being sent, and it would be sent again.
  await recipientsOf(service)
  service.clock.advance(DAY_MS)
  await assertNothingHappens(service, async () => {
    assert.equal((await keep(key.apiKey.id, { token: owner })).text, first.text)
    assert.equal((await keep(expired.apiKey.id, { token: owner })).body.apiKey.status, 'EXPIRED')
  })
})

test('a revoked key stays revoked when it is kept, quarantined or not', async () => {
  const { owner, keys } = await signUpAndClaim(service, 'hal@example.com')
  keys.push(await createKey(service, owner))
  for (const key of keys) {
    const revoked = await revoke(key.apiKey.id, owner)
    service.clock.advance(1000)
    const answer = await assertNothingHappens(service, () => keep(key.apiKey.id, { token: owner }))
    assert.equal(answer.status, 200)
    assert.equal(answer.text, revoked.text)
    assertError(await exchange(service, key), 'INVALID_CREDENTIALS')
  }
})

test('a key that expired in quarantine still does not work after it is kept', async () => {
  const { owner, keys } = await signUpAndClaim(service, 'ida@example.com', [{ expiresInDays: 1 }])
  const [, expired] = keys as [NewKey, NewKey]
  service.clock.advance(DAY_MS)
  assert.equal((await keep(expired.apiKey.id, { token: owner })).body.apiKey.status, 'EXPIRED')
  assertError(await exchange(service, expired), 'INVALID_CREDENTIALS')
})

test('needsOnboarding becomes false when the name is set and every key is kept or revoked', async () => {
  const { owner, keys } = await signUpAndClaim(service, 'leo@example.com', [{}])
  const needs = async () => (await service.call('GET /users/me', { token: owner })).body.user.needsOnboarding
  const seen = [await needs()]
  const [first, second] = keys as [NewKey, NewKey]
  await service.call('PATCH /users/me', { token: owner, body: { name: 'Leo' } })
  seen.push(await needs())
  await keep(first.apiKey.id, { token: owner })
  seen.push(await needs())
  await revoke(second.apiKey.id, owner)
  seen.push(await needs())
  assert.deepEqual(seen, [true, true, true, false])
})

test('an empty JSON body is accepted; a body with fields or a broken one keeps nothing', async () => {
  const { owner, keys } = await signUpAndClaim(service, 'mia@example.com', [{}, {}])
  const [first, second, other] = keys as [NewKey, NewKey, NewKey]
  await assertNothingHappens(service, async () => {
    assertError(await keep(first.apiKey.id, { token: owner, body: '{' }), 'VALIDATION_FAILED')
    assertError(
      await service.call(`GET /auth/api-keys/${first.apiKey.id}/keep`, { token: owner }),
      'METHOD_NOT_ALLOWED',
    )
  })
  const body = JSON.stringify({ id: other.apiKey.id })
  assert.equal((await keep(first.apiKey.id, { token: owner, body: '' })).body.apiKey.status, 'ACTIVE')
  assertError(await keep(second.apiKey.id, { token: owner, body }), 'VALIDATION_FAILED', NO_BODY)
  assert.equal((await listed(service, owner, second.apiKey.id)).status, 'AWAITS_OWNER')
  assert.equal((await listed(service, owner, other.apiKey.id)).status, 'AWAITS_OWNER')
})

test('a write that fails is a 5xx, and the key stays quarantined', async () => {
  const { owner, key } = await signUpAndClaim(service, 'ned@example.com')
  const attempt = () => keep(key.apiKey.id, { token: owner })
  await assertNothingHappens(service, async () => {
    assertError(await withFailingUpdates(service.db, ['api_keys', 'awaits_owner_at_ms'], attempt), 'INTERNAL')
    assertError(await withReadOnlyStorage(service.db, attempt), 'UNAVAILABLE')
  })
  assertError(await exchange(service, key), 'KEY_AWAITS_OWNER')
  assert.equal((await attempt()).body.apiKey.status, 'ACTIVE')
})
