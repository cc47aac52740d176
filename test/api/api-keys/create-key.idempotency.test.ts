/** `Idempotency-Key` on `POST /auth/api-keys`: a repeat makes no second key, and never shows the secret again. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertDocumented } from '../../support/documented.ts'
import { assertError } from '../../support/http/answers.ts'
import { createKey, exchange, keepKey, listKeys, rotateKey, tokenOf } from '../../support/accounts/keys.ts'
import { createLink } from '../../support/accounts/payment-links.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { runInLockstep } from '../../support/wire/lockstep.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent } from '../../support/database/state.ts'
import { withPlanted } from '../../support/database/triggers.ts'

const ROUTE = 'POST /auth/api-keys'
const DAY_MS = 24 * 3600_000
let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const body = { name: 'Billing server', expiresInDays: 90 }
const send = (token: string, key: string, content: unknown = body) =>
  service.call(ROUTE, { token, body: content, headers: { 'idempotency-key': key } })

test('a repeat gets 409, which names the key and says that rotating gives a secret; there is one key, event and mail', async () => {
  const token = await service.signIn('ana@example.com')
  const first = await send(token, 'deploy-1')
  assert.equal(first.status, 201, first.text)
  assert.equal(first.headers.get('idempotent-replayed'), null)
  const { apiKey, keySecret } = first.body
  await assertNothingHappens(service, async () => {
    for (const content of [body, { expiresInDays: 90, name: 'Billing server' }]) {
      const again = await send(token, 'deploy-1', content)
      assertDocumented(ROUTE, again)
      assertError(again, 'ALREADY_CREATED')
      const { message } = again.body.error
      for (const part of ['"Billing server"', apiKey.keyId, `POST /auth/api-keys/${apiKey.id}/rotate`])
        assert.ok(message.includes(part), message)
      assert.ok(!again.text.includes(keySecret.slice(4)))
    }
  })
  assert.equal((await listKeys(service, token)).length, 1)
  const { keyId: rotated } = (await rotateKey(service, token, first.body)).apiKey
  assert.equal(rotated, apiKey.keyId)
  const stored = JSON.stringify((await databaseContent(service.db)).keptAnswers)
  for (const secret of [keySecret, 'secret', 'deploy-1']) assert.ok(!stored.includes(secret), stored)
})

test('a repeat may have its properties in another order, at any depth', async () => {
  const token = await service.signIn('order@example.com')
  const scopes = ['account:read', 'payment_links:read']
  const restrictions = { scopes, currencies: ['RON'] }
  assert.equal((await send(token, 'k', { name: 'a', restrictions })).status, 201)
  await assertNothingHappens(service, async () => {
    const again = await send(token, 'k', { restrictions: { currencies: ['RON'], scopes }, name: 'a' })
    assertError(again, 'ALREADY_CREATED')
    const other = await send(token, 'k', { restrictions: { currencies: ['EUR'], scopes }, name: 'a' })
    assertError(other, 'IDEMPOTENCY_CONFLICT')
  })
})

test('two Idempotency-Key fields are refused, and make no key', async () => {
  const token = await service.signIn('two@example.com')
  await assertNothingHappens(service, async () => {
    const answer = await sendRaw(service.origin, [
      'POST /api/v1/auth/api-keys HTTP/1.1',
      `Authorization: Bearer ${token}`,
      'Idempotency-Key: a',
      'Idempotency-Key: b',
    ])
    assertError(answer, 'VALIDATION_FAILED')
    assert.match(answer.body.error.message, /at most one Idempotency-Key/)
  })
})

test('another body with the same Idempotency-Key is a conflict; each operation has keys of its own', async () => {
  const token = await service.signIn('bob@example.com')
  const made = await send(token, 'k')
  await assertNothingHappens(service, async () => {
    for (const other of [{ ...body, name: 'Another' }, { name: body.name }, {}])
      assertError(await send(token, 'k', other), 'IDEMPOTENCY_CONFLICT')
    for (const key of ['', 'x'.repeat(256)]) assertError(await send(token, key), 'VALIDATION_FAILED', /Idempotency-Key/)
  })
  const headers = { 'idempotency-key': 'k' }
  await createLink(service, token, {}, headers)
  const rotated = await service.call(`POST /auth/api-keys/${made.body.apiKey.id}/rotate`, { token, headers })
  assert.equal(rotated.status, 200, rotated.text)
})

test('without an Idempotency-Key, with another one, and a day later, a request makes a key of its own', async () => {
  const token = await service.signIn('cia@example.com')
  await send(token, 'one')
  await send(token, 'two')
  await createKey(service, token, body)
  await createKey(service, token, body)
  assert.equal((await listKeys(service, token)).length, 4)
  service.clock.advance(DAY_MS - 1)
  const next = await service.signIn('cia@example.com')
  assertError(await send(next, 'one'), 'ALREADY_CREATED')
  service.clock.advance(1)
  assert.equal((await send(next, 'one')).status, 201)
})

test('of concurrent repeats exactly one makes a key, and its secret works', async () => {
  const token = await service.signIn('dan@example.com')
  const answers = await runInLockstep(service, 20, () => send(token, 'k'))
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 1)
  for (const answer of answers.filter(({ status }) => status !== 201)) assertError(answer, 'ALREADY_CREATED')
  assert.equal((await listKeys(service, token)).length, 1)
  assert.equal((await exchange(service, made[0]?.body)).status, 200)
})

test('a repeat is told about its key also at the limit of keys; after a failure the same Idempotency-Key makes the key', async () => {
  const token = await service.signIn('eva@example.com')
  for (let keys = 0; keys < 24; keys++) await createKey(service, token)
  await assertNothingHappens(service, async () => {
    for (const table of ['api_keys', 'idempotency_keys'] as const) {
      const failing = { on: 'before insert', table, fail: 'planted' } as const
      await withPlanted(service.db, [failing], async () => assert.equal((await send(token, 'last')).status, 500))
    }
  })
  const last = await send(token, 'last')
  assert.equal(last.status, 201, last.text)
  assertError(await send(token, 'last'), 'ALREADY_CREATED')
  assertError(await send(token, 'one more'), 'KEY_LIMIT_REACHED')
  await service.call(`POST /auth/api-keys/${last.body.apiKey.id}/revoke`, { token })
  const afterwards = await send(token, 'last')
  assertError(afterwards, 'ALREADY_CREATED', /not active now: create another one with another Idempotency-Key/)
  assert.equal((await send(token, 'one more')).status, 201, 'a refused request stores nothing')
})

test('a key shares its Idempotency-Keys with no other key, not even one it created, and with no person: none takes another’s key for its own', async () => {
  const owner = await service.signIn('fay@example.com')
  const [key, unrelated] = [await createKey(service, owner), await createKey(service, owner)]
  const child = await send(await tokenOf(service, key), 'k')
  assert.equal(child.status, 201)
  assertError(await send(await tokenOf(service, key), 'k'), 'ALREADY_CREATED', new RegExp(child.body.apiKey.keyId))
  const others = [
    await tokenOf(service, child.body),
    owner,
    await tokenOf(service, unrelated),
    await service.signIn('gus@example.com'),
  ]
  for (const token of others) assert.equal((await send(token, 'k')).status, 201)
})

test('a key made by somebody else before the claim is not named to the owner', async () => {
  const stranger = await service.signUp('hal@example.com')
  const planted = await send(stranger.token, 'k')
  const owner = await service.signIn('hal@example.com')
  assert.equal((await send(owner, 'k')).status, 201)
  await keepKey(service, owner, stranger)
  const again = await send(await tokenOf(service, stranger), 'k')
  assertError(again, 'ALREADY_CREATED', /not active now/)
  assert.ok(again.text.includes(planted.body.apiKey.keyId))
})
