import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { trimKeyHistory, makeRoomForKey } from '../../../src/domain/keys/key-history.ts'
import { familyOf } from '../../../src/domain/keys/key-family.ts'
import { insertIdentity } from '../../../src/domain/google/identity-store.ts'
import { findMakers, MAX_MAKERS, recordMaker } from '../../../src/domain/keys/key-maker-store.ts'
import type { KeyMakersTable } from '../../../src/database/tables/key-tables.ts'
import { assertError } from '../../support/http/answers.ts'
import { press, signInMail } from '../../support/mail/buttons.ts'
import { createKey, exchange, keepKey, tokenOf } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { createLink } from '../../support/accounts/payment-links.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { userOf } from '../../support/database/state.ts'

const DAY_MS = 24 * 3600 * 1000
let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const keysOf = async (userId: string) =>
  service.db.query.selectFrom('api_keys').selectAll().where('user_id', '=', userId).execute()
const idsOf = async (userId: string) => new Set((await keysOf(userId)).map(({ id }) => id))
const revoke = (token: string, { apiKey }: NewKey, query = '') =>
  service.call(`POST /auth/api-keys/${apiKey.id}/revoke${query}`, { token })
const payable = async (id: string) => (await service.call(`GET /payment-links/${id}/public`)).body.paymentLink.status

/** Gives an account `count` keys; by default all of them ended after every key it has. */
async function fill(
  email: string,
  count: number,
  change: object = { revoked_at_ms: service.clock.now() + 1 },
): Promise<string> {
  const { id: userId } = await userOf(service.db, email)
  const some = await service.db.query.selectFrom('api_keys').selectAll().limit(1).executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, (_, n) => {
    const id = `${userId}-${n}`
    return {
      ...some,
      id,
      user_id: userId,
      key_id: id,
      secret_hash: id,
      revoked_at_ms: null,
      awaits_owner_at_ms: null,
      expires_at_ms: null,
      ...change,
    }
  })
  for (let done = 0; done < count; done += 200)
    await service.db.query
      .insertInto('api_keys')
      .values(rows.slice(done, done + 200))
      .execute()
  service.clock.advance(1000)
  return userId
}

test('a full history does not prevent a new key: the keys that ended first are deleted, and no others', async () => {
  const email = 'ana@example.com'
  const token = await service.signIn(email)
  const live = await createKey(service, token)
  const early = await createKey(service, token)
  await revoke(token, early)
  const expired = await createKey(service, token, { expiresInDays: 1 })
  const userId = await fill(email, 997)
  assert.equal((await keysOf(userId)).length, 1000)

  const made = await createKey(service, token)
  const ids = await idsOf(userId)
  assert.ok(ids.size <= 951, `${ids.size} keys`)
  assert.deepEqual(
    [live, expired, made].map(({ apiKey }) => ids.has(apiKey.id)),
    [true, true, true],
  )
  assert.equal(ids.has(early.apiKey.id), false, 'it ended first')
  assertError(await exchange(service, early), 'INVALID_CREDENTIALS')
  assert.equal((await exchange(service, live)).status, 200)
  assertError(await revoke(token, early), 'NOT_FOUND')

  service.clock.advance(2 * DAY_MS)
  await fillMore(userId, 200)
  await createKey(service, token)
  assert.ok(!(await keysOf(userId)).some(({ id }) => id === `${userId}-0`))
})

async function fillMore(userId: string, count: number): Promise<void> {
  const some = await service.db.query
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirstOrThrow()
  const rows = Array.from({ length: count }, (_, n) => ({
    ...some,
    id: `${userId}-more-${n}`,
    key_id: `${userId}-more-${n}`,
    revoked_at_ms: service.clock.now(),
  }))
  await service.db.query.insertInto('api_keys').values(rows).execute()
}

test('keys that await the owner make room only after a person revokes them, and the error says so', async () => {
  const email = 'bob@example.com'
  const token = await service.signIn(email)
  const userId = await fill(email, 1000, { awaits_owner_at_ms: 1 })
  const refused = await service.call('POST /auth/api-keys', { token })
  assertError(
    refused,
    'KEY_LIMIT_REACHED',
    /^This account has reached its limit of 1,000 API keys on record\. Revoke keys that are awaiting the owner first\.$/,
  )
  assert.equal((await keysOf(userId)).length, 1000)
  const kept = await service.call(`POST /auth/api-keys/${userId}-8/keep`, { token })
  assert.equal(kept.status, 200, 'keeping adds no key')
  await service.call(`POST /auth/api-keys/${userId}-7/revoke`, { token })
  assert.equal((await service.call('POST /auth/api-keys', { token })).status, 201)
  assert.ok(!(await keysOf(userId)).some(({ id }) => id === `${userId}-7`))
})

test('a payment link of a key that ended while it awaited the owner is never payable, even after the key is deleted', async () => {
  const email = 'cia@example.com'
  const thief = await signInMail(service, email)
  const stolen = (await service.call(`GET /auth/verify?token=${thief.link}`)).body.token
  const keys = [await createKey(service, stolen), await createKey(service, stolen, { expiresInDays: 1 })]
  const links: string[] = []
  for (const key of keys) links.push((await createLink(service, await tokenOf(service, key))).id)
  assert.equal((await press(service, 'not-me', thief.notMe)).status, 200)
  assert.deepEqual(await Promise.all(links.map(payable)), ['INACTIVE', 'INACTIVE'])

  const token = await service.signIn(email)
  const [revoked] = keys
  if (revoked !== undefined) await revoke(token, revoked)
  service.clock.advance(DAY_MS)
  const userId = await fill(email, 998)
  const now = await service.signIn(email)
  await createKey(service, now)
  const ids = await idsOf(userId)
  assert.deepEqual(
    keys.map(({ apiKey }) => ids.has(apiKey.id)),
    [false, false],
  )
  assert.deepEqual(await Promise.all(links.map(payable)), ['INACTIVE', 'INACTIVE'])
})

test('a key is deleted only after all of its payment links, in several batches, are deactivated', async () => {
  const email = 'dan@example.com'
  const token = await service.signIn(email)
  const key = await createKey(service, token)
  const { id: one } = await createLink(service, await tokenOf(service, key))
  const row = await service.db.query
    .selectFrom('payment_links')
    .selectAll()
    .where('id', '=', one)
    .executeTakeFirstOrThrow()
  for (let n = 0; n < 900; n += 1)
    await service.db.query
      .insertInto('payment_links')
      .values({ ...row, id: `${one}-${n}` })
      .execute()
  const change = { awaits_owner_at_ms: 1, revoked_at_ms: 1 }
  await service.db.query.updateTable('api_keys').set(change).where('id', '=', key.apiKey.id).execute()
  const userId = await fill(email, 960)
  const active = () =>
    service.db.query
      .selectFrom('payment_links')
      .select('id')
      .where('user_id', '=', userId)
      .where('deactivated_at_ms', 'is', null)
      .execute()
  for (let call = 0; call < 10; call += 1) {
    const held = (await active()).length
    await makeRoomForKey(service.deps, userId)
    const isThere = (await keysOf(userId)).some(({ id }) => id === key.apiKey.id)
    if (held > 0)
      assert.ok(isThere || (await active()).length === 0, 'the key was deleted before its links were deactivated')
  }
  assert.equal((await active()).length, 0)
  assert.ok((await keysOf(userId)).length <= 950)
})

test('a payment link that a kept key made before the claim stays payable after the key is deleted; other links from before the claim do not become payable', async () => {
  const email = 'eva@example.com'
  const squatter = await service.signUp(email)
  const kept = await createKey(service, squatter.token)
  const [byKept, byOther] = [
    await createLink(service, await tokenOf(service, kept)),
    await createLink(service, squatter.token),
  ]
  const token = await service.signIn(email)
  await keepKey(service, token, kept)
  await revoke(token, kept)
  await service.call(`POST /auth/api-keys/${squatter.apiKey.id}/revoke`, { token })
  const both = () => Promise.all([payable(byKept.id), payable(byOther.id)])
  assert.deepEqual(await both(), ['ACTIVE', 'INACTIVE'])
  const userId = await fill(email, 998)
  await createKey(service, token)
  assert.ok(!(await keysOf(userId)).some(({ id }) => id === kept.apiKey.id || id === squatter.apiKey.id))
  assert.deepEqual(await both(), ['ACTIVE', 'INACTIVE'])
})

test('a thief who makes a chain of keys end hides nothing: its last key is revoked with the first, and undone by mail', async () => {
  for (const [email, isByMail] of [
    ['fay@example.com', false],
    ['gil@example.com', true],
  ] as const) {
    const owner = await service.signIn(email)
    const bystander = await createKey(service, owner)
    const thief = await signInMail(service, email)
    const stolen = (await service.call(`GET /auth/verify?token=${thief.link}`)).body.token
    const first = await createKey(service, stolen)
    let last = first
    const chain: NewKey[] = []
    for (let n = 0; n < 4; n += 1) {
      const next = await createKey(service, await tokenOf(service, last))
      if (last !== first) chain.push(last)
      last = next
    }
    for (const key of chain) await revoke(stolen, key)
    const userId = await fill(email, 990)
    await createKey(service, owner)
    const ids = await idsOf(userId)
    assert.deepEqual(
      chain.map(({ apiKey }) => ids.has(apiKey.id)),
      [false, false, false],
    )

    if (isByMail) assert.equal((await press(service, 'not-me', thief.notMe)).status, 200)
    else assert.equal((await revoke(owner, first, '?withDescendants=true')).status, 200)
    assertError(await exchange(service, last), isByMail ? 'KEY_AWAITS_OWNER' : 'INVALID_CREDENTIALS')
    assert.equal((await exchange(service, bystander)).status, 200, 'made by the owner’s own sign-in')
  }
})

test('repeated actions of one maker are one row per day; beyond the bound the oldest rows are merged, and the last days stay exact', async () => {
  const email = 'ira@example.com'
  const token = await service.signIn(email)
  const { apiKey } = await createKey(service, token)
  const { id: userId } = await userOf(service.db, email)
  const nowMs = service.clock.now()
  const actionOf = (n: number): Omit<KeyMakersTable, 'id' | 'at_ms' | 'last_at_ms'> => {
    return { user_id: userId, key_id: apiKey.id, how: 'rotated', maker_key_id: `other-${n % 3}`, sign_in_id: null }
  }
  await service.db.transaction(async (trx) => {
    for (let n = 0; n < 50; n += 1) await recordMaker(trx, actionOf(0), nowMs - (nowMs % DAY_MS) + n)
  })
  assert.equal((await findMakers(service.db, userId)).length, 2)

  await service.db.transaction(async (trx) => {
    for (let n = 0; n < MAX_MAKERS; n += 1) await recordMaker(trx, actionOf(n), nowMs - Math.ceil((n + 1) / 3) * DAY_MS)
  })
  await trimKeyHistory(service.deps, userId)
  const makers = await findMakers(service.db, userId)
  assert.ok(makers.length <= MAX_MAKERS - 50, `${makers.length}`)
  const recent = makers.filter((row) => (row.last_at_ms ?? 0) > nowMs - 8 * DAY_MS && row.how === 'rotated')
  assert.ok(recent.length >= 3 * 7)
  assert.ok(
    recent.every((row) => (row.last_at_ms ?? 0) - row.at_ms < DAY_MS),
    'exact to the day',
  )
  assert.deepEqual([...familyOf(makers, ['other-2'])], ['other-2', apiKey.id])
  assert.equal(Math.min(...makers.map((row) => row.at_ms)), nowMs - 1000 * DAY_MS)
})

test('merged rows name no sign-in of long ago, except one that connected a Google account', async () => {
  const email = 'oana@example.com'
  const token = await service.signIn(email)
  const { apiKey } = await createKey(service, token)
  const { id: userId } = await userOf(service.db, email)
  const nowMs = service.clock.now()
  await service.db.transaction(async (trx) => {
    const identity = { issuer: 'https://issuer.example', subject: 'oana', user_id: userId, email, connected_at_ms: 1 }
    await insertIdentity(trx, { ...identity, sign_in_id: 'connecting' })
    for (let n = 0; n < MAX_MAKERS; n += 1) {
      const signIn = n >= MAX_MAKERS - 20 ? `forgotten-${n % 2}` : 'connecting'
      const action = {
        user_id: userId,
        key_id: apiKey.id,
        how: 'rotated',
        maker_key_id: null,
        sign_in_id: signIn,
      } as const
      await recordMaker(trx, action, nowMs - (100 + n) * DAY_MS)
    }
  })
  await trimKeyHistory(service.deps, userId)
  const merged = (await findMakers(service.db, userId)).filter((row) => (row.last_at_ms ?? 0) - row.at_ms > DAY_MS)
  assert.deepEqual(new Set(merged.map((row) => row.sign_in_id)), new Set(['connecting', null]))
})
