import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { runInLockstep } from '../../../support/wire/lockstep.ts'
import { signUpAndClaim, createKey, exchange, listed, listKeys } from '../../../support/accounts/keys.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import { startService } from '../../../support/service.ts'
import type { Call, Service } from '../../../support/service.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'

const DAY_MS = 24 * 3600_000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const create = (token: string) => service.call('POST /auth/api-keys', { token })
const fill = (token: string, count: number, body: object = {}) =>
  Promise.all(Array.from({ length: count }, () => createKey(service, token, body)))

const keep = (id: string, call: Call) => service.call(`POST /auth/api-keys/${id}/keep`, call)
const revoke = (id: string, token: string) => service.call(`POST /auth/api-keys/${id}/revoke`, { token })

test('of 40 keys requested at once 25 are created and stored [K8]', async () => {
  const token = await service.signIn('ana@example.com')
  const answers = await runInLockstep(service, 40, () => create(token))
  assert.equal(answers.filter(({ status }) => status === 201).length, 25)
  for (const answer of answers) if (answer.status !== 201) assertError(answer, 'KEY_LIMIT_REACHED')
  assert.equal((await listKeys(service, token)).length, 25)
})

test('a key refused by the limit, new or kept, is an event for the owner', async () => {
  const email = 'eva@example.com'
  const { apiKey } = await service.signUp(email)
  const token = await service.signIn(email)
  await fill(token, 25)
  for (const route of ['POST /auth/api-keys', `POST /auth/api-keys/${apiKey.id}/keep`]) {
    assertError(await service.call(route, { token }), 'KEY_LIMIT_REACHED')
  }
  await service.deps.failureLog.flush()
  const { body } = await service.call('GET /auth/events?limit=100', { token })
  const hits = body.events.filter(({ type }: { type: string }) => type === 'limit_hit')
  assert.deepEqual(
    hits.map(({ detail, times, client }: any) => [detail, times, client]),
    [['live-keys', 2, '127.0.0.1']],
  )
})

test('the key of a signup counts', async () => {
  const { token } = await service.signUp('bob@example.com')
  await fill(token, 24)
  assertError(await create(token), 'KEY_LIMIT_REACHED')
})

test('a revoked or expired key makes room for one', async () => {
  const token = await service.signIn('cia@example.com')
  await fill(token, 1, { expiresInDays: 1 })
  await fill(token, 24)
  const [newest] = await listKeys(service, token)
  assertError(await create(token), 'KEY_LIMIT_REACHED')

  await service.call(`POST /auth/api-keys/${newest.id}/revoke`, { token })
  assert.equal((await create(token)).status, 201)
  assertError(await create(token), 'KEY_LIMIT_REACHED')

  service.clock.advance(DAY_MS - 1)
  assertError(await create(token), 'KEY_LIMIT_REACHED')
  service.clock.advance(1)
  assert.equal((await create(token)).status, 201)
  assertError(await create(token), 'KEY_LIMIT_REACHED')
})

test('keys that await the owner leave room for 25, and can be kept only while there is room', async () => {
  const email = 'dan@example.com'
  const thief = await service.signUp(email)
  await fill(thief.token, 24)
  const token = await service.signIn(email)
  await fill(token, 25)
  assertError(await create(token), 'KEY_LIMIT_REACHED')

  assertError(await keep(thief.apiKey.id, { token }), 'KEY_LIMIT_REACHED')
  assert.equal((await listed(service, token, thief.apiKey.id)).status, 'AWAITS_OWNER')

  const [newest] = await listKeys(service, token)
  await service.call(`POST /auth/api-keys/${newest.id}/revoke`, { token })
  assert.equal((await keep(thief.apiKey.id, { token })).status, 200)
  assertError(await create(token), 'KEY_LIMIT_REACHED')
})

test('keeping creates no 26th live key: it is refused at 25, and one of two concurrent calls gets the last place', async () => {
  const { owner, keys } = await signUpAndClaim(service, 'jon@example.com', [{}])
  const made: NewKey[] = []
  while (made.length < 25) made.push(await createKey(service, owner))
  const keepBoth = () => runInLockstep(service, keys.length, (n) => keep(keys[n]!.apiKey.id, { token: owner }))
  await assertNothingHappens(service, async () => {
    for (const answer of await keepBoth()) assertError(answer, 'KEY_LIMIT_REACHED')
  })
  for (const key of keys) assertError(await exchange(service, key), 'KEY_AWAITS_OWNER')

  await revoke(made[0]?.apiKey.id ?? '', owner)
  const statuses = (await keepBoth()).map(({ status }) => status)
  assert.deepEqual(new Set(statuses), new Set([200, 409]))
  const active = (await listKeys(service, owner)).filter(({ status }) => status === 'ACTIVE')
  assert.equal(active.length, 25)
})

test('at 25 live keys, keeping a revoked or already kept key is still no error', async () => {
  const { owner, keys } = await signUpAndClaim(service, 'kim@example.com', [{}])
  const [kept, revoked] = keys as [NewKey, NewKey]
  await keep(kept.apiKey.id, { token: owner })
  await revoke(revoked.apiKey.id, owner)
  for (let live = 1; live < 25; live++) await createKey(service, owner)
  await assertNothingHappens(service, async () => {
    assert.equal((await keep(kept.apiKey.id, { token: owner })).body.apiKey.status, 'ACTIVE')
    assert.equal((await keep(revoked.apiKey.id, { token: owner })).body.apiKey.status, 'REVOKED')
  })
})
