/** `POST /oauth/revoke` ends what a token comes from: the sign-in, or the key (RFC 7009). */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createKey, exchangesOf, statesOf, tokenOf, updateKey } from '../../support/accounts/keys.ts'
import { assertNothingHappens } from '../../support/database/state.ts'
import { assertUncacheable } from '../../support/http/answers.ts'
import { assertOAuthError, basicOf, postForm, postOf } from '../../support/http/oauth.ts'
import type { Fields } from '../../support/http/oauth.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Service } from '../../support/service.ts'

const PATH = '/oauth/revoke'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const revoke = (token: string, fields: Fields = {}, headers?: Fields) =>
  postForm(service, PATH, { token, ...fields }, headers)

function assertRevoked(answer: Answer): void {
  assert.deepEqual([answer.status, answer.text], [200, ''])
  assertUncacheable(answer)
}

test('a person’s token ends its sign-in, on the very next call, and no other one [A41]', async () => {
  const token = await service.signIn('ana@example.com')
  const other = await service.signIn('ana@example.com')
  const { apiKey, keySecret } = await createKey(service, token)
  assertRevoked(await revoke(token))
  assert.deepEqual(await statesOf(service, [token, other]), ['UNAUTHORIZED', 'ana@example.com'])
  assert.deepEqual(await exchangesOf(service, [{ apiKey, keySecret }]), ['works'])
  const { body } = await service.call('GET /auth/events', { token: other })
  assert.equal(body.events[0].type, 'signed_out')
})

test('a key’s token revokes the key, with all its tokens, and no other key [A41]', async () => {
  const person = await service.signIn('bob@example.com')
  const key = await createKey(service, person)
  const tokens = [await tokenOf(service, key), await tokenOf(service, key)]
  const made = await createKey(service, tokens[0] ?? '')
  assertRevoked(await revoke(tokens[0] ?? ''))
  assert.deepEqual(await statesOf(service, [...tokens, person]), ['UNAUTHORIZED', 'UNAUTHORIZED', 'bob@example.com'])
  assert.deepEqual(await exchangesOf(service, [key, made]), ['INVALID_CREDENTIALS', 'works'])
  const { body } = await service.call('GET /auth/events', { token: person })
  const { type, apiKeyId, byApiKeyId } = body.events.find((event: { type: string }) => event.type === 'key_revoked')
  assert.deepEqual([type, apiKeyId, byApiKeyId], ['key_revoked', key.apiKey.id, key.apiKey.id])
})

test('a token that is unknown, expired or revoked before is answered the same, and nothing happens [A43]', async () => {
  const { token, ...key } = await service.signUp('cia@example.com')
  const expired = await tokenOf(service, key)
  service.clock.advance(3600_000)
  const person = await service.signIn('dan@example.com')
  await revoke(person)
  await assertNothingHappens(service, async () => {
    for (const one of ['x', '🦊', `${token}x`, expired, person, key.keySecret]) assertRevoked(await revoke(one))
    assertRevoked(await revoke('x', postOf(key)))
    assertRevoked(await revoke(person, { token_type_hint: 'refresh_token' }))
  })
})

test('a restricted key’s token, and one found outside the key’s networks, can be revoked', async () => {
  const { token } = await service.signUp('eva@example.com')
  const key = await createKey(service, token)
  const found = await tokenOf(service, key)
  await updateKey(service, token, key, { restrictions: { scopes: ['account:read'], networks: ['203.0.113.0/24'] } })
  assert.deepEqual(await statesOf(service, [found]), ['UNAUTHORIZED'])
  assertRevoked(await revoke(found))
  await updateKey(service, token, key, { restrictions: null }).catch(() => undefined)
  const { body } = await service.call('GET /auth/api-keys', { token })
  assert.equal(body.apiKeys.find(({ id }: { id: string }) => id === key.apiKey.id).status, 'REVOKED')
})

test('a client that names or authenticates itself revokes only its own tokens [A42]', async () => {
  const { token, ...key } = await service.signUp('fay@example.com')
  const other = await createKey(service, token)
  const { client_id: id = '' } = postOf(other)
  const person = await service.signIn('gus@example.com')
  await assertNothingHappens(service, async () => {
    for (const one of [token, person]) {
      assertOAuthError(await revoke(one, { client_id: id }), 'INVALID_GRANT')
      assertOAuthError(await revoke(one, {}, basicOf(other)), 'INVALID_GRANT')
      assertOAuthError(await revoke(one, postOf(other)), 'INVALID_GRANT')
    }
  })
  const wrong = { ...key, keySecret: other.keySecret }
  assertOAuthError(await revoke(token, {}, basicOf(wrong)), 'INVALID_CREDENTIALS')
  assert.deepEqual(await statesOf(service, [token]), ['fay@example.com'])
  const ofOther = await tokenOf(service, other)
  assertRevoked(await revoke(ofOther, {}, basicOf(other)))
  assertRevoked(await revoke(token, { client_id: key.apiKey.keyId }))
  assert.deepEqual(await statesOf(service, [token, ofOther]), ['UNAUTHORIZED', 'UNAUTHORIZED'])
})

test('twenty revocations of one token at once end its key once', async () => {
  const person = await service.signIn('hal@example.com')
  const token = await tokenOf(service, await createKey(service, person))
  for (const answer of await Promise.all(Array.from({ length: 20 }, () => revoke(token)))) assertRevoked(answer)
  const { body } = await service.call('GET /auth/events', { token: person })
  assert.equal(body.events.filter(({ type }: { type: string }) => type === 'key_revoked').length, 1)
})

test('a request without a token is invalid', async () => {
  for (const fields of ['', 'token=', 'token_type_hint=access_token']) {
    assertOAuthError(await postForm(service, PATH, fields), 'VALIDATION_FAILED', /`token` is required/)
  }
})
