/** Ways in which the holder of a restricted key could gain what the key may not do. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { withAuthority } from '../../../../src/domain/sign-in/authority.ts'
import type { Caller } from '../../../../src/domain/sign-in/authority.ts'
import { renameUser } from '../../../../src/domain/users/user-store.ts'
import { createKey, exchange, keepKey, listed, rotateKey, tokenOf, updateKey } from '../../../support/accounts/keys.ts'
import { createLink } from '../../../support/accounts/payment-links.ts'
import { assertNothingHappens, userOf } from '../../../support/database/state.ts'
import { assertError } from '../../../support/http/answers.ts'
import { read } from '../../../support/accounts/tokens.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

const LINKS = { scopes: ['payment_links:read', 'payment_links:write'] }
const KEYS = { scopes: ['keys:read', 'keys:write'] }
let service: Service
let owner: string
before(async () => {
  service = await startService()
  owner = await service.signIn('ana@example.com')
})
after(() => service.close())

const call = (route: string, token: string, body?: object, headers = {}) =>
  service.call(route, { token, headers, ...(body && { body }) })
const restricted = async (restrictions: object, by = owner) => {
  const key = await createKey(service, by, { restrictions })
  return { key, token: await tokenOf(service, key) }
}
/** Whether the token may read payment links, and the account. */
const mayRead = async (token: string) => [
  (await call('GET /payment-links', token)).status,
  (await call('GET /users/me', token)).status,
]

describe('a key that may write keys only', () => {
  test('creates no key that may do more, whatever restrictions it asks for', async () => {
    const { token } = await restricted(KEYS)
    const asked = [undefined, {}, LINKS, { scopes: ['account:read', 'keys:write'] }, { currencies: ['EUR'] }]
    for (const restrictions of asked) {
      const child = await tokenOf(service, await createKey(service, token, restrictions && { restrictions }))
      assert.deepEqual(await mayRead(child), [403, 403])
    }
  })

  test('cannot rotate, keep, change or revoke a key above or beside it', async () => {
    const parent = await createKey(service, owner)
    const { token } = await restricted(KEYS, await tokenOf(service, parent))
    const beside = await createKey(service, owner)
    await assertNothingHappens(service, async () => {
      for (const { apiKey } of [parent, beside]) {
        const path = `/auth/api-keys/${apiKey.id}`
        for (const action of ['rotate', 'keep', 'revoke'])
          assertError(await call(`POST ${path}/${action}`, token, {}), 'SIGN_IN_REQUIRED')
        assertError(await call(`PATCH ${path}`, token, { name: 'Mine' }), 'SIGN_IN_REQUIRED')
      }
    })
  })

  test('cannot take over an unrestricted key of an account that nobody has claimed', async () => {
    const stranger = await service.signUp('bob@example.com')
    const { token } = await restricted(KEYS, stranger.token)
    await assertNothingHappens(service, async () => {
      for (const action of ['rotate', 'revoke'])
        assertError(await call(`POST /auth/api-keys/${stranger.apiKey.id}/${action}`, token, {}), 'SIGN_IN_REQUIRED')
    })
    const child = await createKey(service, token)
    assert.deepEqual(await mayRead(await tokenOf(service, await rotateKey(service, token, child))), [403, 403])
  })

  test('gets a secret that may do no more by rotating itself or a key it created', async () => {
    const { key, token } = await restricted(KEYS)
    const child = await createKey(service, token)
    for (const one of [child, key])
      assert.deepEqual(await mayRead(await tokenOf(service, await rotateKey(service, token, one))), [403, 403])
  })

  test('keeps nothing by revoking itself: the keys it created stay as narrow, and a person cannot widen them beyond it', async () => {
    const { key, token } = await restricted(KEYS)
    const child = await createKey(service, token)
    assert.equal((await call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, token)).status, 200)
    await updateKey(service, owner, child, { restrictions: null })
    assert.deepEqual(await mayRead(await tokenOf(service, child)), [403, 403])
  })

  test('learns no secret by repeating the call of another key with its Idempotency-Key', async () => {
    const parent = await createKey(service, owner)
    const wide = await tokenOf(service, parent)
    const { token } = await restricted(KEYS, wide)
    const headers = { 'idempotency-key': 'new-key' }
    const first = await call('POST /auth/api-keys', wide, { name: 'One' }, headers)
    const second = await call('POST /auth/api-keys', token, { name: 'One' }, headers)
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.deepEqual(second.body.apiKey.effectiveRestrictions, KEYS)
    assert.equal(first.body.apiKey.effectiveRestrictions, undefined)
  })
})

describe('a token issued before its key was narrowed', () => {
  test('obeys at once, and so does one issued to a key that it created', async () => {
    const parent = await createKey(service, owner)
    const token = await tokenOf(service, parent)
    const child = await tokenOf(service, await createKey(service, token))
    assert.deepEqual(
      [await mayRead(token), await mayRead(child)],
      [
        [200, 200],
        [200, 200],
      ],
    )
    await updateKey(service, owner, parent, { restrictions: LINKS })
    assert.deepEqual(
      [await mayRead(token), await mayRead(child)],
      [
        [200, 403],
        [200, 403],
      ],
    )
  })

  test('cannot finish a write that was under way: the scope is checked again under the account’s lock', async () => {
    const key = await createKey(service, owner)
    const token = await tokenOf(service, key)
    const { sub, role, tokenVersion, apiKeyId, iat } = read(token).claims as Record<string, any>
    const ids = { userId: sub, apiKeyId, signInId: null, sid: undefined, issuedAtSeconds: iat }
    const account = {} as Caller['account']
    // What the guard found before the change.
    const caller: Caller = { ...ids, role, tokenVersion, amr: 'api_key', account, scope: 'account:write' }
    await updateKey(service, owner, key, { restrictions: LINKS })
    await assertNothingHappens(service, async () => {
      const write = withAuthority(service.deps, caller, (trx) => renameUser(trx, sub, 'Written'))
      await assert.rejects(write, { code: 'INSUFFICIENT_SCOPE' })
    })
  })

  test('cannot replay an answer that its key may no longer ask for', async () => {
    const { key, token } = await restricted(LINKS)
    const headers = { 'idempotency-key': 'INV-1' }
    const body = { amount: 1, title: 'Tea' }
    assert.equal((await call('POST /payment-links', token, body, headers)).status, 201)
    await updateKey(service, owner, key, { restrictions: { scopes: ['payment_links:read'] } })
    assertError(await call('POST /payment-links', token, body, headers), 'INSUFFICIENT_SCOPE')
  })
})

test('a restricted key cannot export an account, claimed or not, without the scope', async () => {
  const stranger = await service.signUp('cia@example.com')
  for (const by of [owner, stranger.token]) {
    const { token } = await restricted(LINKS, by)
    assertError(await call('GET /users/me/export', token), 'INSUFFICIENT_SCOPE')
  }
  const { token } = await restricted({ scopes: ['account:read'] }, stranger.token)
  const exported = await call('GET /users/me/export', token)
  assert.equal(exported.status, 200)
  assert.doesNotMatch(exported.text, /pls_|hash/)
})

test('a signup gives an unrestricted key and token, and takes no restrictions', async () => {
  const route = 'POST /auth/api/signup'
  const body = { email: 'dan@example.com', restrictions: LINKS }
  assertError(await service.call(route, { body }), 'VALIDATION_FAILED')
  const { token, apiKey } = await service.signUp('dan@example.com')
  assert.deepEqual(await mayRead(token), [200, 200])
  assert.equal('restrictions' in (await listed(service, token, apiKey.id)), false)
})

test('the quarantine, keeping and disowning of keys leave their restrictions', async () => {
  const email = 'eva@example.com'
  const stranger = await service.signUp(email)
  const child = await createKey(service, stranger.token, { restrictions: LINKS })
  const person = await service.signIn(email)
  assertError(await exchange(service, child), 'KEY_AWAITS_OWNER')
  assert.deepEqual((await listed(service, person, child.apiKey.id)).restrictions, LINKS)
  assertError(
    await call(
      `PATCH /auth/api-keys/${child.apiKey.id}`,
      await tokenOf(service, (await restricted(KEYS, person)).key),
      { name: 'x' },
    ),
    'SIGN_IN_REQUIRED',
  )
  await keepKey(service, person, child)
  assert.deepEqual(await mayRead(await tokenOf(service, child)), [200, 403])
  // The key above it still waits, and narrows it all the same.
  await updateKey(service, person, stranger, { restrictions: { scopes: ['payment_links:read'] } })
  assert.equal((await call('GET /payment-links', await tokenOf(service, child))).status, 200)
  assertError(
    await call('POST /payment-links', await tokenOf(service, child), { amount: 1, title: 'Tea' }),
    'INSUFFICIENT_SCOPE',
  )
  assert.equal((await userOf(service.db, email)).claimed_at_ms === null, false)
})

test('a limit of amounts cannot be avoided by another currency, a descendant, or another key’s Idempotency-Key', async () => {
  const { token } = await restricted({ dailyAmount: { EUR: 100 } })
  const child = await tokenOf(service, await createKey(service, token, { restrictions: { dailyAmount: { EUR: 100 } } }))
  await createLink(service, child, { amount: 100 }, { 'x-currency': 'EUR', 'idempotency-key': 'INV-1' })
  const body = { amount: 1, title: 'Tea' }
  for (const by of [token, child])
    for (const currency of ['EUR', 'RON', 'GBP']) {
      const headers = { 'x-currency': currency, 'idempotency-key': `INV ${currency}` }
      assertError(await call('POST /payment-links', by, body, headers), 'AMOUNT_NOT_ALLOWED')
    }
})
