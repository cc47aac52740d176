import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { grantableScopes } from '../../../src/domain/keys/restrictions/scopes.ts'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { createKey, tokenOf } from '../../support/accounts/keys.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'
import { assertNothingHappens, userOf } from '../../support/database/state.ts'

const ROUTE = 'GET /auth/check'
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
let service: Service
let signIn: string

before(async () => {
  service = await startService({ APP_URL: 'https://app.example.com' })
  signIn = await service.signIn('ana@example.com')
})
after(() => service.close())

const identityIn = ({ headers }: Answer) =>
  Object.fromEntries(
    ['x-user-id', 'x-user-role', 'x-api-key-id', 'x-account-claimed', 'x-currency'].map((name) => [
      name,
      headers.get(name),
    ]),
  )

describe('an allowed call', () => {
  test('from a person is identified by account, role and currency, without a body, and is not cached', async () => {
    const { id } = await userOf(service.db, 'ana@example.com')
    const answer = await assertNothingHappens(service, () => service.call(ROUTE, { token: signIn }))
    assert.deepEqual([answer.status, answer.text], [200, ''])
    assert.deepEqual(identityIn(answer), {
      'x-user-id': id,
      'x-user-role': 'USER',
      'x-api-key-id': null,
      'x-account-claimed': 'true',
      'x-currency': 'RON',
    })
    assert.equal(answer.headers.get('content-length'), '0')
    assertUncacheable(answer)
  })

  test('from a program is also identified by its key', async () => {
    const key = await createKey(service, signIn)
    const { headers } = await service.call(ROUTE, {
      token: await tokenOf(service, key),
      headers: { 'x-currency': 'EUR' },
    })
    assert.equal(headers.get('x-api-key-id'), key.apiKey.id)
    assert.equal(headers.get('x-currency'), 'EUR')
  })

  test('says whether the account is claimed, from the claim on', async () => {
    const { body } = await service.call('POST /auth/api/signup', { body: { email: 'eve@example.com' } })
    const claimedOf = async (token: string) =>
      (await service.call(ROUTE, { token, headers: { 'x-account-claimed': 'true' } })).headers.get('x-account-claimed')
    assert.equal(await claimedOf(body.token), 'false')
    assert.equal(await claimedOf(await service.signIn('eve@example.com')), 'true')
  })

  test('gets the same response for every method and every path below, as Envoy asks', async () => {
    const identity = identityIn(await service.call(ROUTE, { token: signIn }))
    for (const method of METHODS) {
      for (const below of ['', '/payment-links/1?x=1', '//a/../b', '/%2e%2e/x', '/']) {
        const lines = [`${method} /api/v1/auth/check${below} HTTP/1.1`, `Authorization: Bearer ${signIn}`]
        const answer = await sendRaw(service.origin, [...lines, ...(method === 'GET' ? [] : ['Content-Length: 0'])])
        assert.deepEqual([answer.status, answer.text, identityIn(answer)], [200, '', identity], `${method} ${below}`)
      }
    }
  })

  test('is identified by its token only, whatever other headers claim', async () => {
    const { id } = await userOf(service.db, 'ana@example.com')
    const forged = {
      'x-account-claimed': 'false',
      'x-user-id': 'bob',
      'x-user-role': 'ADMIN',
      'x-api-key-id': 'a-key',
      'x-forwarded-user': 'bob',
    }
    const answer = await service.call(`${ROUTE}?userId=bob`, { token: signIn, headers: forged })
    assert.deepEqual(identityIn(answer), {
      'x-user-id': id,
      'x-user-role': 'USER',
      'x-api-key-id': null,
      'x-account-claimed': 'true',
      'x-currency': 'RON',
    })
  })
})

describe('a call with the token of a restricted key', () => {
  const restricted = async (restrictions: object) =>
    tokenOf(service, await createKey(service, signIn, { restrictions }))

  test('needs a scope that the key has', async () => {
    const token = await restricted({ scopes: ['payment_links:read', 'events:read'] })
    const answer = await service.call(`${ROUTE}?scope=events:read`, { token })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('x-api-key-scopes'), 'events:read payment_links:read')
    const refused = await service.call(`${ROUTE}?scope=payment_links:write`, { token })
    assertError(refused, 'INSUFFICIENT_SCOPE', /`payment_links:write`/)
    const challenge = 'Bearer realm="paylink-auth", error="insufficient_scope"'
    assert.equal(refused.headers.get('www-authenticate'), `${challenge}, scope="payment_links:write"`)
    const unasked = await service.call(ROUTE, { token })
    assertError(unasked, 'INSUFFICIENT_SCOPE', /does not say which one/)
    assert.equal(unasked.headers.get('www-authenticate'), challenge)
    for (const each of [refused, unasked]) assert.deepEqual(Object.values(identityIn(each)), Array(5).fill(null))
  })

  test('is refused without a scope by every method, and on every path below, where the query comes from the caller', async () => {
    const token = await restricted({ scopes: ['events:read'] })
    const scopes = ['', '?scope=events:read', '?x=1&scope=events:read']
    const calls = METHODS.flatMap((method) => [
      `${method} /auth/check`,
      ...scopes.map((query) => `${method} /auth/check/${query}`),
      ...scopes.map((query) => `${method} /auth/check/payment-links/1${query}`),
    ])
    for (const call of calls) {
      const { status, headers } = await service.call(call, { token })
      assert.deepEqual([status, headers.get('x-user-id')], [403, null], call)
    }
    for (const method of METHODS)
      assert.equal((await service.call(`${method} /auth/check?scope=events:read`, { token })).status, 200, method)
  })

  test('does not need a scope if the key has limits of amounts only', async () => {
    const { status, headers } = await service.call(ROUTE, { token: await restricted({ maxAmount: { EUR: 1 } }) })
    assert.deepEqual([status, headers.get('x-api-key-scopes')], [200, grantableScopes.join(' ')])
  })
})

test('a repeated, empty, unknown or misspelt scope gets 400 for every caller', async () => {
  const restricted = await createKey(service, signIn, { restrictions: { scopes: ['events:read'] } })
  const queries = [
    'scope=events:read&scope=payment_links:write',
    'scope=events:read&scope=events:read',
    'scope[]=events:read',
    'scope=',
    'scope=everything',
    'scope=EVENTS:READ',
    'scope=events:read%20keys:read',
    'scope=events:read,keys:read',
  ]
  for (const token of [signIn, await tokenOf(service, restricted)])
    for (const query of queries) {
      const answer = await service.call(`${ROUTE}?${query}`, { token })
      if (query.startsWith('scope[]') && token !== signIn) assertError(answer, 'INSUFFICIENT_SCOPE')
      else if (!query.startsWith('scope[]')) assertError(answer, 'VALIDATION_FAILED')
    }
})

test('a person and an unrestricted key pass with any scope, and the headers of a person name no scope', async () => {
  const key = await tokenOf(service, await createKey(service, signIn))
  const [byPerson, byKey] = [signIn, key].map((token) => service.call(`${ROUTE}?scope=keys:write`, { token }))
  assert.deepEqual([(await byPerson!).status, (await byPerson!).headers.get('x-api-key-scopes')], [200, null])
  assert.deepEqual(
    [(await byKey!).status, (await byKey!).headers.get('x-api-key-scopes')],
    [200, grantableScopes.join(' ')],
  )
})

describe('a refused call', () => {
  test('gets the same response as on any protected endpoint', async () => {
    for (const call of [
      {},
      { token: 'forged' },
      { headers: { authorization: 'Basic eDp5' } },
      { token: signIn, headers: { 'x-currency': 'USD' } },
    ]) {
      const [refused, elsewhere] = [await service.call(ROUTE, call), await service.call('GET /auth/events', call)]
      assert.equal(fingerprintOf(refused), fingerprintOf(elsewhere))
      assert.equal(refused.headers.get('www-authenticate'), elsewhere.headers.get('www-authenticate'))
    }
  })

  test('never gets a 2xx by any method or path, including a preflight', async () => {
    for (const method of METHODS) {
      for (const path of [
        '/auth/check',
        '/auth/check/',
        '/auth/check/healthz',
        '/auth/check/../config',
        '/auth/check?token=x',
      ]) {
        const lines = [
          `${method} /api/v1${path} HTTP/1.1`,
          'Origin: https://app.example.com',
          'Access-Control-Request-Method: GET',
        ]
        const answer = await sendRaw(service.origin, lines)
        assert.equal(answer.status, 401, `${method} ${path}`)
        assert.equal(answer.headers.get('access-control-allow-methods'), null)
        assert.deepEqual(Object.values(identityIn(answer)), Array(5).fill(null))
      }
    }
  })

  test('is refused from the first call after its token or key is revoked', async () => {
    const bob = await service.signIn('bob@example.com')
    const key = await createKey(service, bob)
    const ofKey = await tokenOf(service, key)
    assert.equal((await service.call(ROUTE, { token: ofKey })).status, 200)
    await service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token: bob })
    assertError(await service.call(ROUTE, { token: ofKey }), 'UNAUTHORIZED')
    assert.equal((await service.call(ROUTE, { token: bob })).status, 200)
    await service.call('POST /auth/tokens/revoke', { token: bob })
    assertError(await service.call(ROUTE, { token: bob }), 'UNAUTHORIZED')
  })
})
