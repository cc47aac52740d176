import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../support/http/answers.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { createKey, tokenOf } from '../../support/accounts/keys.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent } from '../../support/database/state.ts'
import { withPlanted } from '../../support/database/triggers.ts'

const ROUTE = 'POST /payment-links'
const DAY_MS = 24 * 3600_000
let service: Service
let token: string

before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

const right = { amount: 1050, title: 'Lunch', reference: 'INV-1' }
const send = (key: string, body: unknown = right, options: { token?: string; currency?: string } = {}) =>
  service.call(ROUTE, {
    token: options.token ?? token,
    body,
    headers: { 'idempotency-key': key, ...(options.currency === undefined ? {} : { 'x-currency': options.currency }) },
  })
const count = async () => (await databaseContent(service.db)).paymentLinks.length

test('the same key and body get the identical answer and create one link', async () => {
  const first = await send('order-1')
  assert.equal(first.status, 201, first.text)
  assert.equal(first.headers.get('idempotent-replayed'), null, 'executed, not replayed')
  service.clock.advance(60_000)
  await assertNothingHappens(service, async () => {
    // Also when the body is written differently.
    const bodies = [
      right,
      { reference: 'INV-1', title: 'Lunch', amount: 1050 },
      ' {"title":"Lunc\\u0068","amount":1.05e3,\n"reference":"INV-1"}',
    ]
    for (const body of bodies) {
      const again = await send('order-1', body)
      assert.deepEqual([again.status, again.text], [201, first.text])
      assert.equal(again.headers.get('idempotent-replayed'), 'true')
    }
  })
  const { keptAnswers } = await databaseContent(service.db)
  assert.equal(keptAnswers.length, 1)
  assert.equal(
    JSON.stringify(keptAnswers).includes('order-1'),
    false,
    'a key may be any text, so only its hash is stored',
  )
})

test('the same key with anything else is a conflict, and the first answer stays', async () => {
  const first = await send('order-2')
  const others = [
    { ...right, amount: 1051 },
    { ...right, title: 'Dinner' },
    { ...right, reference: 'INV-2' },
    { amount: 1050, title: 'Lunch' },
    { ...right, expiresAt: new Date(service.clock.now() + DAY_MS).toISOString() },
  ]
  await assertNothingHappens(service, async () => {
    for (const body of others) {
      const refused = await send('order-2', body)
      assertError(refused, 'IDEMPOTENCY_CONFLICT')
      assert.equal(refused.headers.get('idempotent-replayed'), null)
    }
    for (const currency of ['EUR', 'GBP'])
      assertError(await send('order-2', right, { currency }), 'IDEMPOTENCY_CONFLICT')
    assert.equal((await send('order-2', right, { currency: 'RON' })).text, first.text, 'the default currency, named')
  })
})

test('each user has their own keys: a key used by another user creates a link', async () => {
  const bob = await service.signIn('bob@example.com')
  const [mine, theirs] = [await send('order-3'), await send('order-3', { ...right, amount: 7 }, { token: bob })]
  assert.deepEqual([mine.status, theirs.status], [201, 201])
  assert.notEqual(mine.body.paymentLink.id, theirs.body.paymentLink.id)
  assert.equal((await send('order-3')).text, mine.text)
  assert.equal((await send('order-3', { ...right, amount: 7 }, { token: bob })).text, theirs.text)
})

test('keys are compared exactly, and may be any text of 1 to 255 characters', async () => {
  const earlier = await count()
  const keys = ['a', 'A', 'a.', 'ab', `"${'x'.repeat(36)}"`, 'x'.repeat(255), "' OR 1=1 --", '__proto__', 'ÿ']
  const ids = new Set<string>()
  for (const key of keys) ids.add((await send(key)).body.paymentLink.id)
  assert.equal(ids.size, keys.length)
  assert.equal(await count(), earlier + keys.length)
  await assertNothingHappens(service, async () => {
    for (const key of ['', 'x'.repeat(256)]) assertError(await send(key), 'VALIDATION_FAILED', /`Idempotency-Key`/)
  })
})

test('two Idempotency-Key fields in one request are refused, and create no link', async () => {
  const body = JSON.stringify({ ...right, title: 'Two keys' })
  const earlier = await count()
  const fields = [
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Idempotency-Key: one',
    'Idempotency-Key: two',
  ]
  const answer = await sendRaw(service.origin, ['POST /api/v1/payment-links HTTP/1.1', ...fields], body)
  assertError(answer, 'VALIDATION_FAILED', /at most one Idempotency-Key/)
  assert.equal(await count(), earlier)
})

test('an answer is stored for 24 hours to the millisecond; after that the key is new', async () => {
  const first = await send('order-4')
  service.clock.advance(DAY_MS - 1)
  token = await service.signIn('ana@example.com')
  assert.equal((await send('order-4')).text, first.text)
  assertError(await send('order-4', { ...right, amount: 1 }), 'IDEMPOTENCY_CONFLICT')
  service.clock.advance(1)
  const second = await send('order-4', { ...right, amount: 2 })
  assert.equal(second.status, 201)
  assert.notEqual(second.body.paymentLink.id, first.body.paymentLink.id)
  assert.equal((await send('order-4', { ...right, amount: 2 })).text, second.text, 'the new answer is stored')
  assertError(await send('order-4'), 'IDEMPOTENCY_CONFLICT')
})

test('the stored answer stays the same after the link was deactivated or has expired', async () => {
  const expiresAt = new Date(service.clock.now() + 1000).toISOString()
  const first = await send('order-5', { ...right, expiresAt })
  const { id } = first.body.paymentLink
  await service.call(`POST /payment-links/${id}/deactivate`, { token })
  service.clock.advance(2000)
  const again = await send('order-5', { ...right, expiresAt })
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal((await service.call(`GET /payment-links/${id}`, { token })).body.paymentLink.status, 'INACTIVE')
})

test('a failed request stores nothing: once corrected, it is executed under the same key', async () => {
  const past = new Date(service.clock.now()).toISOString()
  await assertNothingHappens(service, async () => {
    assertError(await send('order-6', { ...right, expiresAt: past }), 'VALIDATION_FAILED')
    assertError(await send('order-6', { ...right, amount: 0 }), 'VALIDATION_FAILED')
    assertError(await send('order-6', right, { token: 'forged' }), 'UNAUTHORIZED')
    for (const table of ['payment_links', 'idempotency_keys'] as const) {
      const failing = { on: 'before insert', table, fail: 'planted' } as const
      await withPlanted(service.db, [failing], async () => assert.ok((await send('order-6')).status >= 500))
    }
  })
  assert.equal((await send('order-6')).status, 201)
})

test('a revoked token gets no stored answer, and its answers do not block the person who signs in again', async () => {
  const cia = await service.signIn('cia@example.com')
  const first = await send('order-7', right, { token: cia })
  assert.equal(first.status, 201)
  assert.equal((await send('order-7', right, { token: await service.signIn('cia@example.com') })).text, first.text)
  await service.call('POST /auth/tokens/revoke', { token: cia })
  assertError(await send('order-7', right, { token: cia }), 'UNAUTHORIZED', 'Unauthorized')
  const again = await send(
    'order-7',
    { ...right, title: 'Another' },
    { token: await service.signIn('cia@example.com') },
  )
  assert.equal(again.status, 201)
})

test('a key shares its answers with the keys made by it, and not with other keys or persons', async () => {
  const eli = await service.signIn('eli@example.com')
  const [key, unrelated] = [await createKey(service, eli), await createKey(service, eli)]
  const child = await createKey(service, await tokenOf(service, key))
  const grandchild = await createKey(service, await tokenOf(service, child))
  const first = await send('order-10', right, { token: await tokenOf(service, key) })
  for (const one of [key, child, grandchild]) {
    assert.equal((await send('order-10', right, { token: await tokenOf(service, one) })).text, first.text)
  }
  await service.call('POST /auth/tokens/revoke', { token: eli })
  assert.equal(
    (await send('order-10', right, { token: await tokenOf(service, key) })).text,
    first.text,
    'also after the tokens are revoked',
  )
  for (const other of [await tokenOf(service, unrelated), await service.signIn('eli@example.com')]) {
    const made = await send('order-10', { ...right, title: 'Another' }, { token: other })
    assert.equal(made.status, 201, made.text)
  }
})

test('answers from before the claim are not the owner’s, and do not block the owner’s keys', async () => {
  const stranger = (await service.signUp('dan@example.com')).token
  const planted = await send('order-8', right, { token: stranger })
  await send('order-9', right, { token: stranger })
  const owner = await service.signIn('dan@example.com')
  const same = await send('order-8', right, { token: owner })
  assert.equal(same.status, 201)
  assert.notEqual(same.body.paymentLink.id, planted.body.paymentLink.id)
  assert.equal((await send('order-9', { ...right, amount: 3 }, { token: owner })).status, 201)
})
