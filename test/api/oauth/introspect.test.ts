/** `POST /oauth/introspect` tells services behind the state of a token at this moment (RFC 7662). */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey, tokenOf, updateKey } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { introspectingKey } from '../../support/accounts/introspecting-key.ts'
import { read } from '../../support/accounts/tokens.ts'
import { assertNothingHappens } from '../../support/database/state.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { assertOAuthError, basicOf, postForm, postOf } from '../../support/http/oauth.ts'
import type { Fields } from '../../support/http/oauth.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'

const PATH = '/oauth/introspect'
const HOUR_MS = 3600_000
let service: Service
let gateway: NewKey

before(async () => {
  service = await startService()
  gateway = await introspectingKey(service, 'gateway@example.com')
})
after(() => service.close())

const ask = (token: string, fields: Fields = {}) => postForm(service, PATH, { token, ...fields }, basicOf(gateway))

function assertInactive(answer: Answer): void {
  assert.deepEqual([answer.status, answer.text], [200, '{"active":false}'])
  assertUncacheable(answer)
}

test('a key’s token is active, with its scopes, its client and its user [A25]', async () => {
  const { user, token, ...key } = await service.signUp('ana@example.com')
  const restricted = await createKey(service, token, { restrictions: { scopes: ['payment_links:read'] } })
  const answer = await ask(await tokenOf(service, restricted))
  assert.equal(answer.status, 200)
  assertUncacheable(answer)
  const { exp, iat, jti, ...rest } = answer.body
  assert.equal(exp - iat, 3600)
  assert.ok(jti)
  const own = { client_id: restricted.apiKey.keyId, sub: user.id, role: 'USER', account_claimed: false }
  const server = { iss: service.origin, aud: service.baseUrl, token_type: 'Bearer' }
  assert.deepEqual(rest, { active: true, scope: 'payment_links:read', ...own, ...server })
  assert.equal((await ask(await tokenOf(service, key))).body.scope.split(' ').length, 7)
})

test('a person’s token is active, without a client', async () => {
  const { body } = await ask(await service.signIn('bob@example.com'))
  assert.deepEqual([body.active, body.client_id, body.account_claimed], [true, undefined, true])
})

test('a token is inactive on the very next call after it expired, was revoked, or its account was disabled [A46]', async () => {
  const { token, ...key } = await service.signUp('cia@example.com')
  const another = await createKey(service, token)
  const tokenOfAnother = await tokenOf(service, another)
  assert.equal((await ask(tokenOfAnother)).body.active, true)
  await service.call(`POST /auth/api-keys/${another.apiKey.id}/revoke`, { token })
  assertInactive(await ask(tokenOfAnother))
  assert.equal((await ask(token)).body.active, true)
  service.clock.advance(HOUR_MS)
  assertInactive(await ask(token))
  const last = await tokenOf(service, key)
  await service.signIn('cia@example.com')
  assertInactive(await ask(last))
})

test('text that is not a token of this service is inactive, and the answer says nothing else [A45]', async () => {
  for (const token of ['x', 'a.b.c', '🦊', '\u0000', 'x'.repeat(5000), gateway.keySecret])
    assertInactive(await ask(token))
})

test('a token for the MCP endpoint is active, and says what it is for and what it may do there', async () => {
  const { token: _token, ...key } = await service.signUp('dan@example.com')
  const fields = { ...postOf(key), grant_type: 'client_credentials', resource: `${service.baseUrl}/mcp` }
  const { body } = await postForm(service, '/oauth/token', fields)
  const described = (await ask(body.access_token)).body
  assert.equal(described.aud, `${service.baseUrl}/mcp`)
  assert.equal(described.scope, 'account:read payment_links:read payment_links:write')
  assert.equal(described.scope, body.scope)
})

test('a key that may introspect is told its scope in every answer, and may ask for it', async () => {
  const scope = 'tokens:introspect'
  const fields = { ...postOf(gateway), grant_type: 'client_credentials' }
  const { body } = await postForm(service, '/oauth/token', fields)
  assert.equal(body.scope, scope)
  assert.equal((await ask(body.access_token)).body.scope, scope)
  assert.equal((await postForm(service, '/oauth/token', { ...fields, scope })).status, 200)
})

test('a token of a key with networks is active only for a client in them [A45]', async () => {
  const { token } = await service.signUp('eva@example.com')
  const inside = await createKey(service, token)
  const insideToken = await tokenOf(service, inside)
  await updateKey(service, token, inside, { restrictions: { networks: ['203.0.113.0/24'] } })
  assertInactive(await ask(insideToken))
  assertInactive(await ask(insideToken, { client_ip: '198.51.100.1' }))
  assertInactive(await ask(insideToken, { client_ip: 'fe80::1%br-4f2a' }))
  assert.equal((await ask(insideToken, { client_ip: '203.0.113.7' })).body.active, true)
  assert.equal((await ask(insideToken, { client_ip: '::ffff:203.0.113.7' })).body.active, true)
  for (const ip of ['203.0.113', '203.0.113.7/32', 'localhost', ' 203.0.113.7']) {
    assertOAuthError(await ask(insideToken, { client_ip: ip }), 'VALIDATION_FAILED', /client_ip/)
  }
})

test('a service authenticates by HTTP Basic, in the form, or by a bearer token of its key', async () => {
  const token = await service.signIn('gus@example.com')
  const bearer = { authorization: `Bearer ${await tokenOf(service, gateway)}` }
  for (const answer of [
    await postForm(service, PATH, { token }, basicOf(gateway)),
    await postForm(service, PATH, { token, ...postOf(gateway) }),
    await postForm(service, PATH, { token }, bearer),
  ]) {
    assert.deepEqual([answer.status, answer.body.active], [200, true])
  }
  assertOAuthError(await postForm(service, PATH, { token }), 'INVALID_CREDENTIALS', /HTTP Basic/)
  assertOAuthError(
    await postForm(service, PATH, { token, ...postOf(gateway) }, basicOf(gateway)),
    'VALIDATION_FAILED',
    /./,
  )
  const both = await postForm(service, PATH, { token, ...postOf(gateway) }, bearer)
  assertOAuthError(both, 'VALIDATION_FAILED', /in one way/)
  const forged = await postForm(service, PATH, { token }, { authorization: 'Bearer x' })
  assertOAuthError(forged, 'UNAUTHORIZED')
  assert.match(forged.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token", resource_metadata=/)
})

test('nobody else learns anything: unrestricted keys, people and other scopes are refused [A44]', async () => {
  const { token, ...key } = await service.signUp('hal@example.com')
  const restricted = await createKey(service, token, { restrictions: { scopes: ['account:read', 'keys:read'] } })
  const person = await service.signIn('ida@example.com')
  const denied: Fields[] = [{ authorization: `Bearer ${token}` }, { authorization: `Bearer ${person}` }]
  for (const headers of [...denied, basicOf(key), basicOf(restricted)]) {
    const answer = await postForm(service, PATH, { token: person }, headers)
    assertOAuthError(answer, 'INSUFFICIENT_SCOPE', /tokens:introspect/)
    assert.match(answer.headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="tokens:introspect"$/)
  }
})

test('a revoked or wrong key learns nothing, on the very next call [A44]', async () => {
  const key = await introspectingKey(service, 'joe@example.com')
  const owner = await service.signIn('joe@example.com')
  assertOAuthError(
    await postForm(service, PATH, { token: owner }, basicOf({ ...key, keySecret: 'pls_x' })),
    'INVALID_CREDENTIALS',
  )
  await service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token: owner })
  assertOAuthError(await postForm(service, PATH, { token: owner }, basicOf(key)), 'INVALID_CREDENTIALS')
})

test('no call of the API gives the scope: not creation, change, an unrestricted key, or descent from a key that has it', async () => {
  const person = await service.signIn('kim@example.com')
  const restrictions = { scopes: ['tokens:introspect', 'account:read'] }
  const refused = /^`restrictions.scopes\[0\]` must be one of account:read, /
  await assertNothingHappens(service, async () => {
    assertError(
      await service.call('POST /auth/api-keys', { token: person, body: { restrictions } }),
      'VALIDATION_FAILED',
      refused,
    )
  })
  const key = await createKey(service, person)
  const changed = await service.call(`PATCH /auth/api-keys/${key.apiKey.id}`, { token: person, body: { restrictions } })
  assertError(changed, 'VALIDATION_FAILED', refused)
  const maker = await introspectingKey(service, 'lea@example.com', ['tokens:introspect', 'keys:write', 'account:read'])
  const made = await createKey(service, await tokenOf(service, maker))
  assertOAuthError(await postForm(service, PATH, { token: person }, basicOf(made)), 'INSUFFICIENT_SCOPE', /./)
  assert.equal((await postForm(service, PATH, { token: person }, basicOf(maker))).status, 200)
  // A change of the maker hands nothing down either.
  const owner = await service.signIn('lea@example.com')
  await updateKey(service, owner, maker, { name: 'Gateway' })
  assert.equal((await postForm(service, PATH, { token: person }, basicOf(maker))).status, 200)
  await updateKey(service, owner, maker, { restrictions: null })
  for (const one of [maker, made]) {
    assertOAuthError(await postForm(service, PATH, { token: person }, basicOf(one)), 'INSUFFICIENT_SCOPE', /./)
  }
})

test('an active answer counts as a use of the token’s key', async () => {
  const person = await service.signIn('moe@example.com')
  const key = await createKey(service, person)
  const token = await tokenOf(service, key)
  service.clock.advance(30 * 60_000)
  await ask(token)
  await service.deps.keyUse.flush()
  const { body } = await service.call('GET /auth/api-keys', { token: person })
  assert.equal(Date.parse(body.apiKeys[0].lastUsedAt), service.clock.now())
  assert.equal(read(token).claims['apiKeyId'], key.apiKey.id)
})
