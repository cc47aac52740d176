import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { createKey, tokenOf } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, userOf } from '../../support/database/state.ts'

const ROUTE = 'GET /users/me'
const DAY_MS = 24 * 3600 * 1000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const isOnboarding = async (token: string) => (await service.call(ROUTE, { token })).body.user.needsOnboarding
const rename = (token: string, name: string) => service.call('PATCH /users/me', { token, body: { name } })

test('the response has exactly the documented fields of the account, is not cached, and changes nothing', async () => {
  const token = await service.signIn('ana@example.com')
  const answer = await assertNothingHappens(service, () => service.call(ROUTE, { token }))
  const { id, created_at_ms: createdAtMs } = await userOf(service.db, 'ana@example.com')
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.body, {
    user: {
      id,
      email: 'ana@example.com',
      role: 'USER',
      name: null,
      needsOnboarding: true,
      createdAt: new Date(createdAtMs).toISOString(),
    },
  })
  assertUncacheable(answer)
})

test('each caller gets their own account, and a query that names another one is refused', async () => {
  const bob = await service.signIn('bob@example.com')
  const cia = await service.signIn('cia@example.com')
  const { id } = await userOf(service.db, 'bob@example.com')
  for (const query of [`id=${id}`, `userId=${id}`, 'email=bob@example.com'])
    assertError(await service.call(`${ROUTE}?${query}`, { token: cia }), 'VALIDATION_FAILED')
  assert.equal((await service.call(ROUTE, { token: cia })).body.user.email, 'cia@example.com')
  assertError(await service.call(`GET /users/${id}`, { token: cia }), 'NOT_FOUND')
  assert.equal((await service.call(ROUTE, { token: bob })).body.user.id, id)
})

test('a token from a key gets the account of the key’s owner', async () => {
  const signIn = await service.signIn('dan@example.com')
  const ofKey = await tokenOf(service, await createKey(service, signIn))
  const answers = await Promise.all([signIn, ofKey].map((token) => service.call(ROUTE, { token })))
  assert.equal(answers[0]?.text, answers[1]?.text)
})

test('a call without a valid token is refused', async () => {
  assertError(await service.call(ROUTE), 'UNAUTHORIZED', 'Unauthorized')
  assertError(await service.call(ROUTE, { token: 'forged' }), 'UNAUTHORIZED', 'Unauthorized')
  const token = await service.signIn('eva@example.com')
  await service.call('POST /auth/tokens/revoke', { token })
  assertError(await service.call(ROUTE, { token }), 'UNAUTHORIZED', 'Unauthorized')
})

test('needsOnboarding stays true while the address is unproven, with or without a name', async () => {
  const signup = await service.call('POST /auth/api/signup', { body: { email: 'fay@example.com', name: 'Fay' } })
  const { body } = await service.call(ROUTE, { token: signup.body.token })
  assert.deepEqual([body.user.name, body.user.needsOnboarding], ['Fay', true])
  await rename(signup.body.token, 'Fay F.')
  assert.equal(await isOnboarding(signup.body.token), true)
})

test('needsOnboarding becomes false with the display name if no key is quarantined', async () => {
  const token = await service.signIn('gil@example.com')
  assert.equal(await isOnboarding(token), true)
  await createKey(service, token)
  assert.equal(await isOnboarding(token), true)
  await rename(token, 'Gil')
  assert.equal(await isOnboarding(token), false)
})

test('needsOnboarding stays true exactly as long as a quarantined key could still be kept and work', async () => {
  const stranger = await service.signUp('hal@example.com')
  await createKey(service, stranger.token, { expiresInDays: 1 })
  const owner = await service.signIn('hal@example.com')
  await rename(owner, 'Hal')
  assert.equal(await isOnboarding(owner), true)
  await service.call(`POST /auth/api-keys/${stranger.apiKey.id}/revoke`, { token: owner })
  assert.equal(await isOnboarding(owner), true)
  service.clock.advance(DAY_MS)
  assert.equal(await isOnboarding(owner), false)
})

test('an international domain is shown as people write it, in every answer about the account', async () => {
  const email = 'ana@bücher.example'
  const signedUp = await service.call('POST /auth/api/signup', { body: { email: 'ana@xn--bcher-kva.example' } })
  assert.equal(signedUp.body.user.email, email)
  const { apiKey, keySecret, token } = signedUp.body
  assert.equal((await service.call('GET /users/me', { token })).body.user.email, email)
  const exchanged = await service.call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } })
  assert.equal(exchanged.body.user.email, email)
  assert.equal((await service.call('POST /auth/api/signup', { body: { email } })).body.error.code, 'EMAIL_TAKEN')
})
