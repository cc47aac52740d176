import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sha256 } from '../../../src/lib/hash.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { runInLockstep } from '../../support/wire/lockstep.ts'
import { assertOnlyObjects } from '../../support/http/bodies.ts'
import { eventsOf } from '../../support/mail/buttons.ts'
import {
  createKey,
  exchange,
  exchangesOf,
  keepKey,
  listed,
  rotateKey,
  statesOf,
  tokenOf,
} from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Call, Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, recipientsOf } from '../../support/database/state.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const rotate = (id: string, call: Call) => service.call(`POST /auth/api-keys/${id}/rotate`, call)
const rowOf = (id: string) =>
  service.db.query.selectFrom('api_keys').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('rotating a key returns exactly the key and a new secret, keeps the keyId, is not cached, and stores only hashes', async () => {
  const token = await service.signIn('ana@example.com')
  const key = await createKey(service, token, { name: 'Billing', expiresInDays: 30 })
  const other = await createKey(service, token)
  service.clock.advance(1000)
  const answer = await rotate(key.apiKey.id, { token })
  assert.equal(answer.status, 200)
  const { apiKey, keySecret } = answer.body
  assert.deepEqual(Object.keys(answer.body), ['apiKey', 'keySecret'])
  assert.deepEqual(apiKey, { ...key.apiKey, status: 'ACTIVE', lastUsedAt: null, revokedAt: null })
  assert.deepEqual(await listed(service, token, apiKey.id), apiKey)
  assert.match(keySecret, /^pls_[0-9A-Za-z]{49}$/)
  assert.notEqual(keySecret, key.keySecret)
  assertUncacheable(answer)
  assert.ok(!JSON.stringify(await databaseContent(service.db)).includes(keySecret))
  assert.equal((await rowOf(apiKey.id)).secret_hash, sha256(keySecret))
  assert.deepEqual(await exchangesOf(service, [other]), ['works'], 'another key is unchanged')
})

for (const [what, body] of Object.entries({
  'no body': undefined,
  'an empty body': {},
  'no grace': { graceSeconds: 0 },
})) {
  test(`with ${what} the old secret stops working at once, and its hash is deleted`, async () => {
    const email = `${what.replaceAll(' ', '-')}@example.com`
    const token = await service.signIn(email)
    const key = await createKey(service, token)
    const rotated = await rotate(key.apiKey.id, { token, ...(body && { body }) })
    assert.equal(rotated.status, 200, rotated.text)
    assert.deepEqual(await exchangesOf(service, [key, rotated.body]), ['INVALID_CREDENTIALS', 'works'])
    assert.ok(!JSON.stringify(await databaseContent(service.db)).includes(sha256(key.keySecret)))
  })
}

test('with a grace period both secrets work until its last millisecond, and then only the new one', async () => {
  const token = await service.signIn('bob@example.com')
  const key = await createKey(service, token)
  const rotated = await rotateKey(service, token, key, 86_400)
  assert.deepEqual(await exchangesOf(service, [key, rotated]), ['works', 'works'])
  service.clock.advance(86_400_000 - 1)
  assert.deepEqual(await exchangesOf(service, [key, rotated]), ['works', 'works'])
  service.clock.advance(1)
  assert.deepEqual(await exchangesOf(service, [key, rotated]), ['INVALID_CREDENTIALS', 'works'])
})

test('a second rotation ends the grace period of the first: at most two secrets work', async () => {
  const token = await service.signIn('cia@example.com')
  const first = await createKey(service, token)
  const second = await rotateKey(service, token, first, 3600)
  const third = await rotateKey(service, token, second, 3600)
  const expected = ['INVALID_CREDENTIALS', 'works', 'works']
  assert.deepEqual(await exchangesOf(service, [first, second, third]), expected)
  const fourth = await rotateKey(service, token, third)
  const all = await exchangesOf(service, [first, second, third, fourth])
  assert.deepEqual(all, [...Array(3).fill('INVALID_CREDENTIALS'), 'works'])
})

test('a grace period ends when the key is revoked or expires', async () => {
  const token = await service.signIn('dan@example.com')
  const revoked = await createKey(service, token)
  const expiring = await createKey(service, token, { expiresInDays: 1 })
  const keys = [revoked, await rotateKey(service, token, revoked, 86_400)]
  service.clock.advance(1000)
  keys.push(expiring, await rotateKey(service, token, expiring, 86_400))
  await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token })
  service.clock.advance(86_400_000 - 1000)
  assert.deepEqual(await exchangesOf(service, keys), Array(4).fill('INVALID_CREDENTIALS'))
})

test('tokens issued for a key stay valid after a rotation, also those issued for the old secret in its grace period', async () => {
  const token = await service.signIn('eva@example.com')
  const key = await createKey(service, token)
  const earlier = await tokenOf(service, key)
  await rotateKey(service, token, key, 60)
  const inGrace = await tokenOf(service, key)
  service.clock.advance(60_000)
  assert.deepEqual(await statesOf(service, [earlier, inGrace]), Array(2).fill('eva@example.com'))
})

test('a key can be rotated with its own token and with one of its maker, and the event names the key that did it', async () => {
  const token = await service.signIn('fay@example.com')
  const other = await createKey(service, token)
  const key = await createKey(service, await tokenOf(service, other))
  const own = await rotateKey(service, await tokenOf(service, key), key)
  await rotateKey(service, await tokenOf(service, other), own)
  await rotateKey(service, token, key)
  const events = await service.db.query
    .selectFrom('security_events')
    .select(['by_api_key_id', 'client'])
    .where('type', '=', 'key_rotated')
    .where('api_key_id', '=', key.apiKey.id)
    .orderBy('id')
    .execute()
  const recorded = events.map((event) => [event.by_api_key_id, event.client])
  assert.deepEqual(
    recorded,
    [key.apiKey.id, other.apiKey.id, null].map((id) => [id, '127.0.0.1']),
  )
})

test('a token of any other key gets SIGN_IN_REQUIRED, whatever the state of the key', async () => {
  const token = await service.signIn('ona@example.com')
  const key = await createKey(service, token)
  const child = await createKey(service, await tokenOf(service, key))
  const unrelated = await createKey(service, token)
  const tokens = [await tokenOf(service, child), await tokenOf(service, unrelated)]
  const rotateAs = (by: string) => service.call(`POST /auth/api-keys/${key.apiKey.id}/rotate`, { token: by })
  await assertNothingHappens(service, async () => {
    for (const by of tokens) assertError(await rotateAs(by), 'SIGN_IN_REQUIRED')
  })
  await service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token })
  for (const by of tokens) assertError(await rotateAs(by), 'SIGN_IN_REQUIRED')
})

test('revoked, expired and quarantined keys cannot be rotated', async () => {
  const waiting = await service.signUp('gil@example.com')
  const token = await service.signIn('gil@example.com')
  const revoked = await createKey(service, token)
  const expired = await createKey(service, token, { expiresInDays: 1 })
  await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token })
  // Advancing the clock would expire the lease of a mail being sent, and it would be sent again.
  await recipientsOf(service)
  service.clock.advance(86_400_000)
  for (const key of [waiting, revoked, expired]) {
    const answer = await assertNothingHappens(service, () => rotate(key.apiKey.id, { token }))
    assertError(answer, 'KEY_NOT_ACTIVE')
  }
  await keepKey(service, token, waiting)
  await rotateKey(service, token, waiting)
})

test('another user’s key and an unknown id get the same 404, and nothing changes', async () => {
  const key = await createKey(service, await service.signIn('hal@example.com'))
  const token = await service.signIn('ida@example.com')
  const ids = [key.apiKey.id, '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f11', key.apiKey.keyId, '%00']
  const answers = await assertNothingHappens(service, () => Promise.all(ids.map((id) => rotate(id, { token }))))
  for (const answer of answers) assertError(answer, 'NOT_FOUND')
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal((await exchange(service, key)).status, 200)
})

test('graceSeconds must be a whole number from 0 to 86400, and no other field is accepted', async () => {
  const token = await service.signIn('jim@example.com')
  const key = await createKey(service, token)
  const route = `POST /auth/api-keys/${key.apiKey.id}/rotate`
  const bodies = [-1, 86_401, 0.5, 1e300, '60', true, [60]].map((graceSeconds) => ({ graceSeconds }))
  const others = [{ name: 'x' }, { secret_hash: 'x' }, { keySecret: key.keySecret }]
  await assertNothingHappens(service, async () => {
    for (const body of [...bodies, ...others]) {
      assertError(await service.call(route, { token, body }), 'VALIDATION_FAILED')
    }
    await assertOnlyObjects(service, route, { token })
    assertError(await service.call(route), 'UNAUTHORIZED')
  })
  assert.equal((await exchange(service, key)).status, 200)
})

test('concurrent rotations all return a secret and record an event; only the last secret works', async () => {
  const token = await service.signIn('kim@example.com')
  const key = await createKey(service, token)
  const answers = await runInLockstep(service, 5, () => rotate(key.apiKey.id, { token }))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(5).fill(200),
  )
  const states = await exchangesOf(
    service,
    answers.map(({ body }) => body),
  )
  assert.deepEqual(states.toSorted(), [...Array(4).fill('INVALID_CREDENTIALS'), 'works'])
  const rotated = (await eventsOf(service, 'kim@example.com')).filter(({ type }) => type === 'key_rotated')
  assert.equal(rotated.length, 5)
})
