import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { runInLockstep } from '../../support/wire/lockstep.ts'
import { withFailingUpdates, withReadOnlyStorage } from '../../support/database/faults.ts'
import { createKey, exchange, keepKey, statesOf, tokenOf } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, userOf, recipientsOf } from '../../support/database/state.ts'
import { read } from '../../support/accounts/tokens.ts'

const ROUTE = 'POST /auth/tokens/revoke'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('revoking tokens returns exactly { ok: true } and is not cached', async () => {
  const token = await service.signIn('ana@example.com')
  const answer = await service.call(ROUTE, { token })
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '{"ok":true}')
  assertUncacheable(answer)
})

test('every earlier token of the user is invalid at once, including the caller’s and those of keys', async () => {
  const caller = await service.signIn('bob@example.com')
  const other = await service.signIn('bob@example.com')
  const ofKey = await tokenOf(service, await createKey(service, caller))
  const bystander = await service.signIn('cia@example.com')
  const bystanderKey = await tokenOf(service, await createKey(service, bystander))
  const tokens = [caller, other, ofKey, bystander, bystanderKey]
  await recipientsOf(service)
  const stored = await databaseContent(service.db)

  assert.equal((await service.call(ROUTE, { token: caller })).status, 200)
  const dead = Array(3).fill('UNAUTHORIZED')
  assert.deepEqual(await statesOf(service, tokens), [...dead, 'cia@example.com', 'cia@example.com'])

  const afterwards = await databaseContent(service.db)
  const { id } = await userOf(service.db, 'bob@example.com')
  const row = stored.users.find((user) => user.id === id)
  Object.assign(row ?? {}, { token_version: 1 })
  assert.deepEqual(afterwards.users, stored.users)
  assert.deepEqual(afterwards.apiKeys, stored.apiKeys)
})

test('invalid tokens are refused on every protected endpoint and change nothing', async () => {
  const token = await service.signIn('dan@example.com')
  const { apiKey } = await createKey(service, token)
  await service.call(ROUTE, { token })
  const protectedCalls = [
    'GET /users/me',
    'GET /auth/api-keys',
    'POST /auth/api-keys',
    `POST /auth/api-keys/${apiKey.id}/revoke`,
    `POST /auth/api-keys/${apiKey.id}/keep`,
    ROUTE,
  ]
  await assertNothingHappens(service, async () => {
    for (const route of protectedCalls) {
      assertError(await service.call(route, { token }), 'UNAUTHORIZED', 'Unauthorized')
    }
    const body = { name: 'Eve' }
    assertError(await service.call('PATCH /users/me', { token, body }), 'UNAUTHORIZED', 'Unauthorized')
  })
})

test('a second call with the invalid token is refused and does not increment tokenVersion', async () => {
  const token = await service.signIn('eva@example.com')
  await service.call(ROUTE, { token })
  await assertNothingHappens(service, async () => {
    const answer = await service.call(ROUTE, { token })
    assertError(answer, 'UNAUTHORIZED', 'Unauthorized')
    assert.match(answer.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
  })
})

test('of three concurrent calls with one token exactly one increments tokenVersion', async () => {
  const token = await service.signIn('two@example.com')
  const answers = await runInLockstep(service, 3, () => service.call(ROUTE, { token }))
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [200, 401, 401],
  )
  assert.equal((await userOf(service.db, 'two@example.com')).token_version, 1)
})

test('keys can still be exchanged and the user can sign in again, and the new tokens are valid', async () => {
  const token = await service.signIn('fay@example.com')
  const key = await createKey(service, token)
  await service.call(ROUTE, { token })
  const again = [await tokenOf(service, key), await service.signIn('fay@example.com')]
  assert.deepEqual(await statesOf(service, again), Array(2).fill('fay@example.com'))
  assert.deepEqual(
    again.map((text) => read(text).claims['tokenVersion']),
    [1, 1],
  )

  await service.call(ROUTE, { token: again[1] ?? '' })
  assert.deepEqual(await statesOf(service, again), Array(2).fill('UNAUTHORIZED'))
  assert.equal((await exchange(service, key)).body.user.email, 'fay@example.com')
})

test('on a claimed account a key’s token gets SIGN_IN_REQUIRED', async () => {
  const email = 'jon@example.com'
  const stranger = await service.signUp(email)
  const owner = await service.signIn(email)
  await keepKey(service, owner, stranger)
  const tokens = [await tokenOf(service, stranger), await tokenOf(service, await createKey(service, owner))]
  await assertNothingHappens(service, async () => {
    for (const token of tokens) assertError(await service.call(ROUTE, { token }), 'SIGN_IN_REQUIRED')
  })
  assert.deepEqual(await statesOf(service, [owner, ...tokens]), Array(3).fill(email))
})

test('on an unclaimed account a key’s token can revoke all tokens', async () => {
  const first = await service.signUp('kim@example.com')
  const second = await tokenOf(service, await createKey(service, first.token))
  assert.equal((await service.call(ROUTE, { token: second })).status, 200)
  assert.deepEqual(await statesOf(service, [first.token, second]), Array(2).fill('UNAUTHORIZED'))
})

test('a body or a query is refused: neither selects another user [K7]', async () => {
  const gil = await service.signIn('gil@example.com')
  const { id } = await userOf(service.db, 'gil@example.com')
  for (const [index, body] of [{ userId: id }, { sub: id, email: 'gil@example.com' }, [id], id].entries()) {
    const token = await service.signIn(`eve${index}@example.com`)
    const withBody = await service.call(ROUTE, { token, body: JSON.stringify(body) })
    assertError(withBody, 'VALIDATION_FAILED', 'This operation takes no body.')
    assertError(await service.call(`${ROUTE}?userId=${id}`, { token }), 'VALIDATION_FAILED')
    assert.deepEqual(await statesOf(service, [gil, token]), ['gil@example.com', `eve${index}@example.com`])
  }
})

test('without a token, and by GET, nothing is revoked', async () => {
  const token = await service.signIn('hal@example.com')
  await assertNothingHappens(service, async () => {
    assertError(await service.call(ROUTE), 'UNAUTHORIZED', 'Unauthorized')
    assertError(await service.call(ROUTE, { token: `${token.slice(0, -1)}_` }), 'UNAUTHORIZED')
    assertError(await service.call('GET /auth/tokens/revoke', { token }), 'METHOD_NOT_ALLOWED')
  })
})

test('a revocation that cannot be stored is a 5xx, and the tokens stay valid [F15, CVE-2020-15223]', async () => {
  const token = await service.signIn('ida@example.com')
  const revoke = () => service.call(ROUTE, { token })
  await assertNothingHappens(service, async () => {
    assertError(await withFailingUpdates(service.db, ['users', 'token_version'], revoke), 'INTERNAL')
    assertError(await withReadOnlyStorage(service.db, revoke), 'UNAVAILABLE')
  })
  assert.deepEqual(await statesOf(service, [token]), ['ida@example.com'])
  assert.equal((await revoke()).status, 200)
})
