import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { databaseContent, recipientsOf } from '../support/database/state.ts'

describe('a program works with API keys', () => {
  let service: Service
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  const exchange = (key: { apiKey: { keyId: string }; keySecret: string }) =>
    service.call('POST /auth/api/token', {
      body: { keyId: key.apiKey.keyId, keySecret: key.keySecret },
    })
  const works = async (token: string) => (await service.call('GET /users/me', { token })).status === 200

  test('from signup to revocation: the tokens of the revoked key die at once, all others live [K6]', async () => {
    const { call, db } = service
    const email = 'billing@example.com'
    const signedUp = await call('POST /auth/api/signup', {
      body: { email, name: 'Billing', keyName: 'First' },
    })
    assert.equal(signedUp.status, 201)
    const first = signedUp.body
    assert.equal(first.user.email, email)
    assert.equal(first.apiKey.name, 'First')
    assert.match(first.apiKey.keyId, /^plk_/)
    assert.match(first.keySecret, /^pls_/)
    assert.equal(first.tokenType, 'Bearer')
    assert.equal(first.expiresInSeconds, 3600)
    assertError(await call('POST /auth/api/signup', { body: { email } }), 'EMAIL_TAKEN')

    const exchanged = await exchange(first)
    assert.equal(exchanged.status, 200)
    assert.equal(exchanged.body.tokenType, 'Bearer')
    assert.equal(exchanged.body.expiresInSeconds, 3600)
    assert.deepEqual(exchanged.body.user, { id: first.user.id, email, role: 'USER' })
    const fromFirst = exchanged.body.token

    const created = await call('POST /auth/api-keys', { token: fromFirst, body: { name: 'Second' } })
    assert.equal(created.status, 201)
    const second = created.body
    const listed = await call('GET /auth/api-keys', { token: fromFirst })
    assert.deepEqual(
      listed.body.apiKeys.map(({ id, name, status }: any) => [id, name, status]),
      [
        [second.apiKey.id, 'Second', 'ACTIVE'],
        [first.apiKey.id, 'First', 'ACTIVE'],
      ],
    )
    for (const { keySecret } of [first, second]) assert.ok(!listed.text.includes(keySecret))

    const fromSecond = [(await exchange(second)).body.token, (await exchange(second)).body.token]
    assert.deepEqual(await Promise.all(fromSecond.map(works)), [true, true])

    const revoked = await call(`POST /auth/api-keys/${second.apiKey.id}/revoke`, { token: fromFirst })
    assert.equal(revoked.status, 200)
    assert.equal(revoked.body.apiKey.status, 'REVOKED')
    for (const token of fromSecond) {
      assertError(await call('GET /users/me', { token }), 'UNAUTHORIZED')
      assertError(await call('POST /auth/api-keys', { token }), 'UNAUTHORIZED')
    }
    assertError(await exchange(second), 'INVALID_CREDENTIALS')
    assert.deepEqual(await Promise.all([first.token, fromFirst].map(works)), [true, true])
    assert.equal((await exchange(first)).status, 200)

    const { apiKeys, users } = await databaseContent(db)
    assert.equal(users.length, 1)
    assert.equal(apiKeys.length, 2, 'a refused creation left no key')
    assert.deepEqual(await recipientsOf(service), [email], 'the owner is notified once, of the signup')
  })

  test('a call has the currency of its X-Currency, RON without one, and no other than the three', async () => {
    const { token } = await service.signUp('shop@example.com')
    await recipientsOf(service)
    const currencyOf = async (headers: Record<string, string>) =>
      (await service.call('GET /users/me', { token, headers })).headers.get('x-currency')
    assert.equal(await currencyOf({}), 'RON')
    for (const currency of ['RON', 'EUR', 'GBP']) {
      assert.equal(await currencyOf({ 'x-currency': currency }), currency)
    }
    for (const currency of ['USD', 'eur', '']) {
      const headers = { 'x-currency': currency }
      const content = await databaseContent(service.db)
      assertError(await service.call('POST /auth/api-keys', { token, headers }), 'CURRENCY_NOT_SUPPORTED')
      assert.deepEqual(await databaseContent(service.db), content, 'no key is made')
      assertError(await service.call('GET /users/me', { headers }), 'UNAUTHORIZED')
    }
  })
})
