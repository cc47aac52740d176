import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, shapeOf } from '../../support/http/answers.ts'
import { assertOnlyObjects } from '../../support/http/bodies.ts'
import { createKey, exchange, listKeys, tokenOf } from '../../support/accounts/keys.ts'
import { tick } from '../../support/clock.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent, userOf } from '../../support/database/state.ts'
import { read } from '../../support/accounts/tokens.ts'

const ROUTE = 'POST /auth/api-keys'
const DAY_MS = 24 * 3600_000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const create = (token: string, body?: unknown) => service.call(ROUTE, { token, body })
const isoIn = (milliseconds: number) => new Date(service.clock.now() + milliseconds).toISOString()

test('creating a key returns 201 with exactly these fields and is not cached [K10]', async () => {
  const token = await service.signIn('ana@example.com')
  const answer = await create(token, { name: 'Server', expiresInDays: 90 })
  assert.equal(answer.status, 201)
  assert.deepEqual(shapeOf(answer.body), {
    apiKey: {
      id: 'string',
      name: 'string',
      keyId: 'string',
      createdAt: 'string',
      expiresAt: 'string',
    },
    keySecret: 'string',
  })
  const { name, keyId, createdAt, expiresAt } = answer.body.apiKey
  assert.deepEqual([name, createdAt, expiresAt], ['Server', isoIn(0), isoIn(90 * DAY_MS)])
  assert.match(keyId, /^plk_[0-9A-Za-z]{22}$/)
  assert.match(answer.body.keySecret, /^pls_[0-9A-Za-z]{49}$/)
  assertUncacheable(answer)
})

test('every field and the body itself are optional', async () => {
  const token = await service.signIn('bob@example.com')
  const json = { 'content-type': 'application/json' }
  const answers = [
    await create(token),
    await create(token, {}),
    await service.call(ROUTE, { token, headers: json }),
    await service.call(ROUTE, { token, body: '', headers: json }),
  ]
  for (const { status, body } of answers) {
    assert.equal(status, 201)
    assert.equal(body.apiKey.name, 'API key')
    assert.equal(body.apiKey.expiresAt, null)
  }
  assert.equal((await listKeys(service, token)).length, answers.length)
})

test('the key belongs to the caller, works at once, and only the hash of its secret is stored [K2, K3]', async () => {
  const token = await service.signIn('cia@example.com')
  const made = await createKey(service, token)
  const user = await userOf(service.db, 'cia@example.com')
  assert.equal((await exchange(service, made)).body.user.id, user.id)

  const { apiKeys } = await databaseContent(service.db)
  const row = apiKeys.find((key) => key.id === made.apiKey.id)
  assert.equal(row?.user_id, user.id)
  assert.equal(row?.secret_hash, createHash('sha256').update(made.keySecret).digest('hex'))
  assert.equal(JSON.stringify(apiKeys).includes(made.keySecret.slice(4)), false)
})

test('a key records the key or the sign-in whose token created it', async () => {
  const signedUp = await service.signUp('dan@example.com')
  const child = await createKey(service, signedUp.token)
  const grandchild = await createKey(service, await tokenOf(service, child))
  const bySignIn = await service.signIn('eva@example.com')
  const signedIn = await createKey(service, bySignIn)
  const makers = await service.db.query.selectFrom('key_makers').selectAll().execute()
  const makerOf = (made: any) => makers.find((maker) => maker.key_id === made.apiKey.id)
  assert.equal(makerOf(signedUp), undefined)
  assert.equal(makerOf(child)?.maker_key_id, signedUp.apiKey.id)
  assert.equal(makerOf(grandchild)?.maker_key_id, child.apiKey.id)
  assert.equal(makerOf(signedIn)?.maker_key_id, null)
  assert.equal(makerOf(signedIn)?.sign_in_id, read(bySignIn).claims['sid'])
})

test('createdAt and expiresAt differ by exactly the days asked for, also when the clock moves during the call', async () => {
  const busy = await startService()
  try {
    const token = await busy.signIn('ana@example.com')
    tick(busy.clock)
    for (const expiresInDays of [1, 90, 3650]) {
      const { apiKey } = (await busy.call(ROUTE, { token, body: { expiresInDays } })).body
      const listed = (await listKeys(busy, token)).find(({ id }) => id === apiKey.id)
      for (const { createdAt, expiresAt } of [apiKey, listed])
        assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), expiresInDays * DAY_MS)
    }
  } finally {
    await busy.close()
  }
})

test('a key ends no later than the key whose token created it, through any number of keys; a person’s key ends when asked', async () => {
  const made = async (by: string, body: object = {}) => (await create(by, body)).body
  const token = await service.signIn('hal@example.com')
  const parent = await made(token, { expiresInDays: 10 })
  const end = isoIn(10 * DAY_MS)
  service.clock.advance(DAY_MS)
  const byParent = await tokenOf(service, parent)
  const unbounded = await made(byParent)
  const later = await made(byParent, { expiresInDays: 10 })
  const earlier = await made(byParent, { expiresInDays: 8 })
  const grandchild = await made(await tokenOf(service, unbounded), { expiresInDays: 3650 })
  assert.deepEqual(
    [unbounded, later, grandchild, earlier].map(({ apiKey }) => apiKey.expiresAt),
    [end, end, end, isoIn(8 * DAY_MS)],
  )
  assert.equal((await made(token, { expiresInDays: 20 })).apiKey.expiresAt, isoIn(20 * DAY_MS))
  assert.equal((await made(token)).apiKey.expiresAt, null)

  service.clock.advance(9 * DAY_MS)
  for (const key of [parent, unbounded, later, grandchild, earlier])
    assertError(await exchange(service, key), 'INVALID_CREDENTIALS')
})

test('expiresInDays must be a whole number from 1 to 3650', async () => {
  const token = await service.signIn('fay@example.com')
  for (const expiresInDays of [1, 3650]) {
    const { status, body } = await create(token, { expiresInDays })
    assert.equal(status, 201)
    assert.equal(body.apiKey.expiresAt, isoIn(expiresInDays * DAY_MS))
  }
  const message = /^`expiresInDays` must be a whole number from 1 to 3650(, not an? \w+)?\.$/
  await assertNothingHappens(service, async () => {
    for (const days of ['0', '-1', '3651', '1.5', '"90"', 'true', '[90]', '1e400', '{}']) {
      assertError(await create(token, `{"expiresInDays":${days}}`), 'VALIDATION_FAILED', message)
    }
  })
})

test('invalid values and unknown fields are refused with the name of the field, and no key is created [K7, K8]', async () => {
  const token = await service.signIn('gus@example.com')
  const { id } = await userOf(service.db, 'ana@example.com')
  const refused: [unknown, string | RegExp][] = [
    [{ userId: id }, '`userId` is not a known field.'],
    [{ keySecret: 'pls_mine' }, '`keySecret` is not a known field.'],
    [{ scopes: ['admin'] }, '`scopes` is not a known field.'],
    [{ name: ' \u2003' }, '`name` must have 1 to 100 characters.'],
    [{ name: '' }, '`name` must have 1 to 100 characters.'],
    [{ name: 'ș'.repeat(101) }, '`name` must have 1 to 100 characters.'],
  ]
  for (const name of [1, ['a'], { a: 'b' }]) refused.push([{ name }, /^`name` must be a string, not /])
  for (const name of ['\u0000', 'a\nb', '\u007f', '\ud83e', '\udd8a\ud83e', ' \t']) {
    refused.push([{ name }, /^`name` must be printable text/])
  }
  await assertNothingHappens(service, async () => {
    await assertOnlyObjects(service, ROUTE, { token })
    for (const [body, message] of refused) {
      assertError(await create(token, body), 'VALIDATION_FAILED', message)
    }
  })

  const longest = await createKey(service, token, { name: '🦊'.repeat(100) })
  assert.equal(longest.apiKey.name, '🦊'.repeat(100))
})
