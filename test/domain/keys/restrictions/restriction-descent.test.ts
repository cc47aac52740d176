/** A key may never do more than the key whose token created it, whatever changes in which order. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { trimKeyHistory } from '../../../../src/domain/keys/key-history.ts'
import { findKey } from '../../../../src/domain/keys/key-store.ts'
import { parseRestrictions } from '../../../../src/domain/keys/restrictions/restrictions.ts'
import { upkeep } from '../../../../src/domain/upkeep.ts'
import { createKey, keepKey, listed, rotateKey, tokenOf, updateKey } from '../../../support/accounts/keys.ts'
import type { NewKey } from '../../../support/accounts/keys.ts'
import { assertError } from '../../../support/http/answers.ts'
import { createLink } from '../../../support/accounts/payment-links.ts'
import { assertNothingHappens, userOf } from '../../../support/database/state.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

const DAY_MS = 24 * 3600 * 1000
const KEPT_DAYS = 31
const KEYS = ['keys:read', 'keys:write']
const LINKS = ['payment_links:read', 'payment_links:write']
let service: Service
let owner: string
let accounts = 0
let email: string

before(async () => {
  service = await startService({ EVENTS_KEEP_DAYS: String(KEPT_DAYS) })
})
after(() => service.close())

/** Keys of a new account, each created with the token of the one before. */
async function chain(...restrictions: (object | undefined)[]): Promise<NewKey[]> {
  email = `chain-${accounts++}@example.com`
  owner = await service.signIn(email)
  const keys: NewKey[] = []
  let token = owner
  for (const each of restrictions) {
    const key = await createKey(service, token, each === undefined ? {} : { restrictions: each })
    keys.push(key)
    token = await tokenOf(service, key)
  }
  return keys
}

async function effectOf(key: NewKey) {
  const { id } = await userOf(service.db, email)
  return parseRestrictions((await findKey(service.db, id, key.apiKey.id))?.effective_restrictions ?? null)
}
const effects = (keys: readonly NewKey[]) => Promise.all(keys.map(effectOf))
const revoke = (token: string, { apiKey }: NewKey) => service.call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token })

/** Deletes ended keys from the record, as the sweep does after their time. */
async function forgetEnded(): Promise<void> {
  service.clock.advance((KEPT_DAYS + 1) * DAY_MS)
  await upkeep(service.deps)
  owner = await service.signIn(email)
}

/** Fills the account's record with keys that ended after every other, so that the first that ended leave it. */
async function overflow(): Promise<void> {
  const { id: userId } = await userOf(service.db, email)
  const some = await service.db.query
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirstOrThrow()
  const fillers = { restrictions: null, effective_restrictions: null, creator_id: null, family_id: null }
  const on = await service.db.query.selectFrom('api_keys').select('id').where('user_id', '=', userId).execute()
  const rows = Array.from({ length: Math.max(40, 990 - on.length) }, (_, n) => {
    const id = `${userId}-${service.deps.random.uuid()}-${n}`
    const own = { id, key_id: id, secret_hash: id, previous_secret_hash: null, expires_at_ms: null }
    return { ...some, ...fillers, ...own, revoked_at_ms: service.clock.now() + 1 }
  })
  for (let n = 0; n < rows.length; n += 60)
    await service.db.query
      .insertInto('api_keys')
      .values(rows.slice(n, n + 60))
      .execute()
  await trimKeyHistory(service.deps, userId)
}

const isOnRecord = async (key: NewKey) => {
  const { id } = await userOf(service.db, email)
  return (await findKey(service.db, id, key.apiKey.id)) !== undefined
}

test('a key created by a restricted key is at most what that key is', async () => {
  const keys = await chain({ scopes: [...KEYS, ...LINKS], dailyAmount: { EUR: 5000 } }, undefined, {
    scopes: ['account:read', ...LINKS],
    dailyAmount: { EUR: 9000, RON: 1 },
  })
  const own = { scopes: [...KEYS, ...LINKS], dailyAmount: { EUR: 5000 } }
  assert.deepEqual(await effects(keys), [own, own, { scopes: LINKS, dailyAmount: { EUR: 5000 } }])
  const [, second, third] = keys as [NewKey, NewKey, NewKey]
  const shown = await listed(service, owner, third.apiKey.id)
  assert.deepEqual(shown.restrictions, { scopes: ['account:read', ...LINKS], dailyAmount: { RON: 1, EUR: 9000 } })
  assert.deepEqual(shown.effectiveRestrictions, { scopes: LINKS, dailyAmount: { EUR: 5000 } })
  const unnamed = await listed(service, owner, second.apiKey.id)
  assert.deepEqual(['restrictions' in unnamed, unnamed.effectiveRestrictions], [false, own])
})

test('a key narrowed later narrows its descendants, and gives back exactly that when it is widened', async () => {
  const [first, second, third] = (await chain(undefined, { currencies: ['EUR', 'GBP'] }, undefined)) as [
    NewKey,
    NewKey,
    NewKey,
  ]
  const earlier = await effects([first, second, third])
  await updateKey(service, owner, first, { restrictions: { currencies: ['EUR', 'RON'], maxAmount: { EUR: 7 } } })
  const narrowed = { currencies: ['EUR'], maxAmount: { EUR: 7 } }
  assert.deepEqual(await effects([second, third]), [narrowed, narrowed])
  await updateKey(service, owner, second, { restrictions: { currencies: ['GBP'], maxAmount: { EUR: 3 } } })
  assert.deepEqual(await effectOf(third), { currencies: [], maxAmount: { EUR: 3 } })
  await updateKey(service, owner, second, { restrictions: { currencies: ['EUR', 'GBP'] } })
  await updateKey(service, owner, first, { restrictions: null })
  assert.deepEqual(await effects([first, second, third]), earlier)
})

test('restricting a key restricts what lives below a key that has ended', async () => {
  const [first, second, third] = (await chain(undefined, undefined, undefined)) as [NewKey, NewKey, NewKey]
  await revoke(owner, second)
  await updateKey(service, owner, first, { restrictions: { currencies: ['EUR'] } })
  assert.deepEqual(await effectOf(third), { currencies: ['EUR'] })
})

test('a key has at most 20 networks, however many keys with other networks are above it', async () => {
  const ten = (first: number, from: number) => Array.from({ length: 10 }, (_, n) => `10.${first}.${from + n}.0/24`)
  const above = ['127.0.0.0/8', '10.0.0.0/16', ...ten(1, 0)]
  const [first] = (await chain({ networks: above })) as [NewKey]
  const token = await tokenOf(service, first)
  const wide = ['127.0.0.0/8', '10.1.0.0/16', ...ten(0, 0)]
  const refused = await assertNothingHappens(service, () =>
    service.call('POST /auth/api-keys', { token, body: { restrictions: { networks: wide } } }),
  )
  assertError(refused, 'VALIDATION_FAILED', /must have at most 20 networks in common with those of the key above/)

  const second = await createKey(service, token, { restrictions: { networks: wide.slice(0, 11) } })
  const child = await createKey(service, await tokenOf(service, second))
  assert.equal((await effectOf(child))?.networks?.length, 20)
  const change = { token: owner, body: { restrictions: { networks: wide } } }
  const path = `PATCH /auth/api-keys/${second.apiKey.id}`
  assertError(await assertNothingHappens(service, () => service.call(path, change)), 'VALIDATION_FAILED')
  await updateKey(service, owner, first, { restrictions: null })
  await updateKey(service, owner, second, { restrictions: { networks: wide } })
  await updateKey(service, owner, first, { restrictions: { networks: above } })
  assert.equal((await effectOf(child))?.networks?.length, 20)
})

test('restricting a key changes no other key of the account', async () => {
  const [first] = (await chain(undefined)) as [NewKey]
  const other = await createKey(service, owner, { restrictions: { currencies: ['RON'] } })
  const below = await createKey(service, await tokenOf(service, other))
  await updateKey(service, owner, first, { restrictions: { currencies: ['EUR'] } })
  const restricted = { currencies: ['RON'] }
  assert.deepEqual(await effects([first, other, below]), [{ currencies: ['EUR'] }, restricted, restricted])
})

test('a person cannot widen a key beyond the key above it', async () => {
  const [, second] = (await chain({ scopes: KEYS }, { scopes: ['keys:read', 'keys:write'] })) as [NewKey, NewKey]
  const widened = await updateKey(service, owner, second, { restrictions: null })
  assert.equal('restrictions' in widened, false)
  assert.deepEqual(widened.effectiveRestrictions, { scopes: KEYS })
})

test('keys from before the column for their creator are narrowed by it, also once their record is deleted', async () => {
  const [first, second, third] = (await chain(undefined, undefined, undefined)) as [NewKey, NewKey, NewKey]
  const { id: userId } = await userOf(service.db, email)
  await service.db.query.updateTable('api_keys').set({ creator_id: null }).where('user_id', '=', userId).execute()
  await updateKey(service, owner, first, { restrictions: { scopes: KEYS } })
  assert.deepEqual(await effects([first, second, third]), [{ scopes: KEYS }, { scopes: KEYS }, { scopes: KEYS }])
  await revoke(owner, second)
  await forgetEnded()
  assert.equal(await isOnRecord(second), false)
  await updateKey(service, owner, third, { restrictions: { scopes: [...KEYS, ...LINKS] } })
  assert.deepEqual(await effectOf(third), { scopes: KEYS })
})

test('rotating and keeping a key leave its restrictions and its place', async () => {
  email = 'squatted@example.com'
  const stranger = await service.signUp(email)
  const child = await createKey(service, stranger.token, { restrictions: { scopes: LINKS } })
  owner = await service.signIn(email)
  for (const key of [stranger, child]) await keepKey(service, owner, key)
  assert.deepEqual(await effects([stranger, child]), [null, { scopes: LINKS }])
  await rotateKey(service, owner, child)
  await rotateKey(service, await tokenOf(service, stranger), stranger)
  await updateKey(service, owner, stranger, { restrictions: { scopes: ['payment_links:read', 'keys:read'] } })
  assert.deepEqual(await effectOf(child), { scopes: ['payment_links:read'] })
})

for (const [how, forget] of Object.entries({ 'after its time': forgetEnded, 'because the record is full': overflow })) {
  test(`a key deleted ${how} hands its restrictions down, and those above it still apply`, async () => {
    const [first, second, third] = (await chain(undefined, { scopes: [...KEYS, 'payment_links:read'] }, undefined)) as [
      NewKey,
      NewKey,
      NewKey,
    ]
    const last = await createKey(service, await tokenOf(service, third))
    await revoke(owner, second)
    await forget()
    assert.deepEqual(await Promise.all([first, second, third].map(isOnRecord)), [true, false, true])
    const inherited = { scopes: [...KEYS, 'payment_links:read'] }
    assert.deepEqual(await effects([third, last]), [inherited, inherited])
    assert.deepEqual((await listed(service, owner, third.apiKey.id)).restrictions, inherited)
    // Its own token cannot gain anything by a change of its own restrictions.
    const token = await tokenOf(service, third)
    const widen = { scopes: [...KEYS, ...LINKS] }
    const refused = await service.call(`PATCH /auth/api-keys/${third.apiKey.id}`, {
      token,
      body: { restrictions: widen },
    })
    assert.equal(refused.body.error.code, 'SIGN_IN_REQUIRED')
    await updateKey(service, owner, first, { restrictions: { scopes: ['payment_links:read', 'account:read'] } })
    assert.deepEqual(await effects([third, last]), [
      { scopes: ['payment_links:read'] },
      { scopes: ['payment_links:read'] },
    ])
    await updateKey(service, owner, first, { restrictions: null })
    await updateKey(service, owner, third, { restrictions: null })
    assert.deepEqual(await effects([third, last]), [null, null])
  })

  for (const order of ['a key before the one that it created', 'a key after the one that it created'])
    test(`a limit per day is not multiplied when ${order} is deleted ${how} at once`, async () => {
      const [first, second] = (await chain({ scopes: [...KEYS, ...LINKS], dailyAmount: { EUR: 100 } }, undefined)) as [
        NewKey,
        NewKey,
      ]
      const bySecond = await tokenOf(service, second)
      const sharing = [await createKey(service, bySecond), await createKey(service, bySecond)]
      const ended = [first, second]
      for (const key of order.includes('before') ? ended : ended.toReversed()) {
        await revoke(owner, key)
        service.clock.advance(1000)
      }
      await forget()
      const statuses: number[] = []
      for (const key of sharing) {
        const headers = { 'x-currency': 'EUR' }
        const call = { token: await tokenOf(service, key), headers, body: { amount: 60, title: 'Tea' } }
        statuses.push((await service.call('POST /payment-links', call)).status)
      }
      assert.deepEqual(statuses, [201, 403])
    })

  test(`the record of a key is not deleted ${how} while several keys share its limit per day`, async () => {
    const [first, second] = (await chain({ dailyAmount: { EUR: 100 } }, undefined)) as [NewKey, NewKey]
    const other = await createKey(service, await tokenOf(service, first))
    await revoke(owner, first)
    await forget()
    assert.equal(await isOnRecord(first), true)
    const inEuro = { 'x-currency': 'EUR' }
    await createLink(service, await tokenOf(service, second), { amount: 60 }, inEuro)
    const tooMuch = { token: await tokenOf(service, other), headers: inEuro, body: { amount: 41, title: 'Tea' } }
    assert.equal((await service.call('POST /payment-links', tooMuch)).body.error.code, 'AMOUNT_NOT_ALLOWED')
    await revoke(owner, second)
    await forget()
    assert.equal(await isOnRecord(second), false)
    await forget()
    assert.deepEqual([await isOnRecord(first), await effectOf(other)], [false, { dailyAmount: { EUR: 100 } }])
  })
}

test('what a deleted key and its descendants made today counts towards the limits that they shared', async () => {
  const [first, second, third] = (await chain({ dailyAmount: { EUR: 100 } }, undefined, undefined)) as [
    NewKey,
    NewKey,
    NewKey,
  ]
  const inEuro = { 'x-currency': 'EUR' }
  for (const key of [first, second, third])
    await createLink(service, await tokenOf(service, key), { amount: 30 }, inEuro)
  const attempt = async (key: NewKey, amount: number) => {
    const body = { amount, title: 'Tea' }
    return (await service.call('POST /payment-links', { token: await tokenOf(service, key), headers: inEuro, body }))
      .status
  }
  await revoke(owner, second)
  await overflow()
  assert.equal(await isOnRecord(second), false)
  assert.deepEqual([await attempt(first, 11), await attempt(third, 11)], [403, 403])
  await revoke(owner, first)
  await overflow()
  assert.equal(await isOnRecord(first), false)
  assert.deepEqual([await attempt(third, 11), await attempt(third, 10), await attempt(third, 1)], [403, 201, 403])
})
