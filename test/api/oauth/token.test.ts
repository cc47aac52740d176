/** `POST /oauth/token` with `client_credentials` issues the token of the exchange, in OAuth's form. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey, listed, signUpAndClaim } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { read } from '../../support/accounts/tokens.ts'
import { assertNothingHappens } from '../../support/database/state.ts'
import { assertError, assertUncacheable, fingerprintOf } from '../../support/http/answers.ts'
import { assertOAuthError, basicOf, postForm, postOf } from '../../support/http/oauth.ts'
import type { Fields } from '../../support/http/oauth.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const PATH = '/oauth/token'
const GRANT = { grant_type: 'client_credentials' }
const DAY_MS = 24 * 3600_000
const EVERYTHING = 'account:read account:write keys:read keys:write events:read payment_links:read payment_links:write'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const ask = (fields: Fields, headers?: Fields) => postForm(service, PATH, { ...GRANT, ...fields }, headers)

test('a key gets the one-hour token of the exchange, by HTTP Basic and in the form [A36]', async () => {
  const { user, ...key } = await service.signUp('ana@example.com')
  for (const answer of [await ask({}, basicOf(key)), await ask(postOf(key))]) {
    assert.equal(answer.status, 200, answer.text)
    const { access_token: token, ...rest } = answer.body
    assert.deepEqual(rest, { token_type: 'Bearer', expires_in: 3600, scope: EVERYTHING })
    assertUncacheable(answer)
    assert.equal(answer.headers.get('pragma'), 'no-cache')
    const { iat, exp, jti, ...claims } = read(token).claims
    assert.equal(Number(exp) - Number(iat), 3600)
    assert.ok(jti)
    const fixed = { iss: service.origin, aud: service.baseUrl, role: 'USER', tokenVersion: 0 }
    assert.deepEqual(claims, { ...fixed, sub: user.id, amr: ['api_key'], apiKeyId: key.apiKey.id })
    assert.equal((await service.call('GET /users/me', { token })).status, 200)
  }
})

test('the first use of a key by `client_credentials` is recorded, as that by the exchange', async () => {
  const { token, ...key } = await service.signUp('bob@example.com')
  assert.equal((await listed(service, token, key.apiKey.id)).lastUsedAt, null)
  await ask(postOf(key))
  await service.deps.keyUse.flush()
  assert.notEqual((await listed(service, token, key.apiKey.id)).lastUsedAt, null)
})

test('an unknown id, a wrong secret, a revoked key and an expired key get identical responses [A35]', async () => {
  const mine = await service.signUp('cia@example.com')
  const revoked = await createKey(service, mine.token)
  await service.call(`POST /auth/api-keys/${revoked.apiKey.id}/revoke`, { token: mine.token })
  const expired = await createKey(service, mine.token, { expiresInDays: 1 })
  const elsewhere = await createKey(service, mine.token, { restrictions: { networks: ['203.0.113.0/24'] } })
  service.clock.advance(DAY_MS)
  const { keyId } = mine.apiKey
  const unknown = `${keyId.slice(0, -1)}${keyId.endsWith('A') ? 'B' : 'A'}`
  const pair = (id: string, keySecret: string): NewKey => ({ apiKey: { ...mine.apiKey, keyId: id }, keySecret })
  const keys = [
    pair(unknown, mine.keySecret),
    pair(keyId, expired.keySecret),
    pair('x', 'y'),
    pair('🦊', 'é:ü'),
    revoked,
    expired,
    elsewhere,
  ]
  const prints = new Set<string>()
  for (const key of keys) {
    for (const answer of [await ask({}, basicOf(key)), await ask(postOf(key))]) {
      assertOAuthError(answer, 'INVALID_CREDENTIALS')
      assert.equal(answer.headers.get('www-authenticate'), 'Basic realm="paylink-auth"')
      prints.add(fingerprintOf(answer))
    }
  }
  assert.equal(prints.size, 1, [...prints].join('\n'))
})

test('the right secret of a key that awaits its owner is `unauthorized_client` [A35]', async () => {
  const { key } = await signUpAndClaim(service, 'dan@example.com')
  assertOAuthError(await ask(postOf(key)), 'KEY_AWAITS_OWNER')
  assertOAuthError(await ask({ client_id: key.apiKey.keyId, client_secret: 'x' }), 'INVALID_CREDENTIALS')
})

test('a client that authenticates in no way, in two ways or by another scheme is refused, and nothing happens [A18, A35]', async () => {
  const { token, ...key } = await service.signUp('eva@example.com')
  const { client_id: id = '', client_secret: secret = '' } = postOf(key)
  const twoWays: [Fields, Fields][] = [
    [{ client_secret: secret }, basicOf(key)],
    [postOf(key), basicOf(key)],
    [{ client_id: `${id}x` }, basicOf(key)],
    [postOf(key), { authorization: `Bearer ${token}` }],
  ]
  const none: [Fields, Fields][] = [
    [{}, {}],
    [{ client_id: id }, {}],
    [{ client_secret: secret }, {}],
    [{ client_id: id, client_secret: '' }, {}],
    [{}, { authorization: `Bearer ${token}` }],
    ...['Basic', 'Basic !', `Basic ${btoa(id)}`, `Basic ${btoa(`${id}:%`)}`, `Basic ${btoa(`${id}:${secret}:x`)}`].map(
      (authorization): [Fields, Fields] => [{}, { authorization }],
    ),
  ]
  await assertNothingHappens(service, async () => {
    for (const [fields, headers] of twoWays) {
      assertOAuthError(await ask(fields, headers), 'VALIDATION_FAILED', /in one way/)
    }
    for (const [fields, headers] of none)
      assertOAuthError(await ask(fields, headers), 'INVALID_CREDENTIALS', /^Send .* HTTP Basic/)
  })
  assert.equal((await ask({ client_id: id }, basicOf(key))).status, 200)
})

test('`scope` is that of the key: what it does not have, and less than it has, is refused [A38]', async () => {
  const { token, ...key } = await service.signUp('fay@example.com')
  const scopes = ['payment_links:read', 'payment_links:write']
  const restricted = await createKey(service, token, { restrictions: { scopes } })
  assert.equal((await ask(postOf(restricted))).body.scope, scopes.join(' '))
  assert.equal(
    (await ask({ ...postOf(restricted), scope: scopes.toReversed().join(' ') })).body.scope,
    scopes.join(' '),
  )
  assert.equal((await ask({ ...postOf(key), scope: EVERYTHING })).body.scope, EVERYTHING)
  for (const scope of ['payment_links:read', `${scopes.join(' ')} keys:read`, 'openid', ' ', scopes.join('  ')]) {
    assertOAuthError(
      await ask({ ...postOf(restricted), scope }),
      'INVALID_SCOPE',
      /exactly the scopes of its API key that its/,
    )
  }
  assertOAuthError(await ask({ ...postOf(key), scope: `${EVERYTHING} tokens:introspect` }), 'INVALID_SCOPE', /exactly/)
})

test('a request that is refused for its `scope` is no use of the key', async () => {
  const { token, ...key } = await service.signUp('ida@example.com')
  assertOAuthError(await ask({ ...postOf(key), scope: 'keys:read' }), 'INVALID_SCOPE', /exactly/)
  await service.deps.keyUse.flush()
  await service.deps.dailyUses.flush()
  assert.equal((await listed(service, token, key.apiKey.id)).lastUsedAt, null)
  const { body } = await service.call(`GET /auth/api-keys/${key.apiKey.id}/uses`, { token })
  assert.equal(JSON.stringify(body).includes('"exchanges":1'), false, JSON.stringify(body))
})

test('`resource` is what the token is for: one for another resource does not work at the API [A16]', async () => {
  const { token: _token, ...key } = await service.signUp('gus@example.com')
  const forApi = await ask({ ...postOf(key), resource: service.baseUrl })
  assert.equal(read(forApi.body.access_token).claims['aud'], service.baseUrl)
  const forMcp = await ask({ ...postOf(key), resource: `${service.baseUrl}/mcp` })
  assert.equal(read(forMcp.body.access_token).claims['aud'], `${service.baseUrl}/mcp`)
  assert.equal((await service.call('GET /users/me', { token: forApi.body.access_token })).status, 200)
  assertError(await service.call('GET /users/me', { token: forMcp.body.access_token }), 'UNAUTHORIZED')
  for (const resource of [service.origin, `${service.baseUrl}/`, `${service.baseUrl}/users`, 'x', '%']) {
    assertOAuthError(await ask({ ...postOf(key), resource }), 'INVALID_TARGET')
  }
})

test('another grant is `unsupported_grant_type`, and a request without one is invalid [A17, A35]', async () => {
  const { token: _token, ...key } = await service.signUp('hal@example.com')
  for (const type of ['password', 'implicit', 'refresh_token', 'Client_Credentials', '__proto__', 'constructor']) {
    assertOAuthError(await ask({ ...postOf(key), grant_type: type }), 'UNSUPPORTED_GRANT_TYPE')
  }
  for (const type of ['', ' ']) {
    const answer = await ask({ ...postOf(key), grant_type: type })
    if (type === '') assertOAuthError(answer, 'VALIDATION_FAILED', /`grant_type` is required/)
    else assertOAuthError(answer, 'UNSUPPORTED_GRANT_TYPE')
  }
  const bodiless = await fetch(service.baseUrl + PATH, { method: 'POST', headers: basicOf(key) })
  assert.equal(bodiless.status, 400)
  assert.match(await bodiless.text(), /`grant_type` is required/)
})
