import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertError } from '../support/http/answers.ts'
import { sendRaw } from '../support/wire/raw.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'
import { databaseContent, recipientsOf } from '../support/database/state.ts'

const UNSUPPORTED = [
  'eur',
  'Eur',
  'EUR,GBP',
  'EUR, EUR',
  'EUR;q=1',
  '',
  'USD',
  'EURO',
  '"EUR"',
  'E',
  'undefined',
  '__proto__',
  '0',
  '*',
]
const protectedRoutes = [
  'GET /users/me',
  'HEAD /users/me',
  'PATCH /users/me',
  'GET /auth/api-keys',
  'POST /auth/api-keys',
  'POST /auth/api-keys/x/revoke',
  'POST /auth/api-keys/x/keep',
  'POST /auth/tokens/revoke',
]

let service: Service
let token: string

before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

const vary = (headers: Headers) => (headers.get('vary') ?? '').split(', ')

describe('a protected endpoint', () => {
  test('answers in RON when no currency is given, and sends Vary', async () => {
    const { status, headers } = await service.call('GET /users/me', { token })
    assert.equal(status, 200)
    assert.equal(headers.get('x-currency'), 'RON')
    assert.ok(vary(headers).includes('X-Currency'))
    assert.ok(vary(headers).includes('Origin'), 'what others vary by is kept')
  })

  test('answers in each given currency', async () => {
    for (const currency of ['RON', 'EUR', 'GBP']) {
      const { status, headers } = await service.call('GET /users/me', { token, headers: { 'x-currency': currency } })
      assert.equal(status, 200)
      assert.equal(headers.get('x-currency'), currency)
      assert.ok(vary(headers).includes('X-Currency'))
    }
  })

  test('refuses any other value, without falling back to the default and without echoing it', async () => {
    for (const currency of UNSUPPORTED) {
      const answer = await service.call('GET /users/me', { token, headers: { 'x-currency': currency } })
      assertError(answer, 'CURRENCY_NOT_SUPPORTED', '`X-Currency` must be one of RON, EUR, GBP.')
      assert.equal(answer.headers.get('x-currency'), null)
      assert.ok(vary(answer.headers).includes('X-Currency'))
    }
  })

  test('refuses two such header fields, even with equal values', async () => {
    const lines = [
      'GET /api/v1/users/me HTTP/1.1',
      `Authorization: Bearer ${token}`,
      'X-Currency: EUR',
      'X-Currency: EUR',
    ]
    assertError(await sendRaw(service.origin, lines), 'CURRENCY_NOT_SUPPORTED')
  })

  test('refuses it before doing anything', async () => {
    await recipientsOf(service)
    const stored = await databaseContent(service.db)
    for (const route of protectedRoutes.filter((each) => !each.startsWith('HEAD'))) {
      const answer = await service.call(route, { token, headers: { 'x-currency': 'USD' } })
      assertError(answer, 'CURRENCY_NOT_SUPPORTED')
    }
    assert.deepEqual(await databaseContent(service.db), stored)
    assert.equal((await service.call('GET /users/me', { token })).status, 200, 'the token was not revoked')
  })

  test('checks the token first: without a valid one the currency makes no difference', async () => {
    for (const route of protectedRoutes) {
      for (const bad of [{}, { token: 'forged' }]) {
        const answer = await service.call(route, { ...bad, headers: { 'x-currency': 'USD' } })
        assert.equal(answer.status, 401, route)
        assert.equal(answer.headers.get('x-currency'), null)
        if (!route.startsWith('HEAD')) assertError(answer, 'UNAUTHORIZED')
      }
    }
  })
})

test('a public endpoint ignores the currency', async () => {
  for (const currency of ['EUR', 'USD']) {
    const answer = await service.call('GET /auth/config', { headers: { 'x-currency': currency } })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('x-currency'), null)
  }
})
