import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { normaliseBody } from '../../../src/http/server/normalise-body.ts'
import { assertError } from '../../support/http/answers.ts'
import { databaseContent, recipientsOf, userOf } from '../../support/database/state.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service
let token: string
before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

test('on create, null for an optional field means that it is absent', async () => {
  const created = await service.call('POST /auth/api-keys', { token, body: { name: null, expiresInDays: null } })
  assert.deepEqual([created.status, created.body.apiKey.name, created.body.apiKey.expiresAt], [201, 'API key', null])
  const rotated = await service.call(`POST /auth/api-keys/${created.body.apiKey.id}/rotate`, {
    token,
    body: { graceSeconds: null },
  })
  assert.equal(rotated.status, 200, rotated.text)
  const body = { amount: 100, title: 'x', reference: null, expiresAt: null }
  const link = await service.call('POST /payment-links', { token, body })
  assert.deepEqual(
    [link.status, link.body.paymentLink.reference, link.body.paymentLink.expiresAt],
    [201, null, null],
    link.text,
  )
  const nulls = { email: 'null@example.com', name: null, keyName: null }
  const signedUp = await service.call('POST /auth/api/signup', { body: nulls })
  assert.deepEqual([signedUp.status, signedUp.body.apiKey.name], [201, 'API key'], signedUp.text)
  assert.equal((await userOf(service.db, 'null@example.com')).name, null)
  const asked = await service.call('POST /auth/request', { body: { email: 'ask@example.com', redirectTo: null } })
  assert.equal(asked.status, 200, asked.text)
  const secrets = [{ keySecret: 'unknown', seenAt: null }]
  assert.equal((await service.call('POST /auth/api-keys/leaked', { body: { secrets } })).status, 200)
})

test('null for a required field, an unknown field or the body is refused', async () => {
  const refuse = async (route: string, body: unknown, message: string) =>
    assertError(await service.call(route, { token, body }), 'VALIDATION_FAILED', message)
  await refuse('POST /auth/request', { email: null }, '`email` must be a string, not null.')
  await refuse(
    'POST /payment-links',
    { amount: null, title: 'x' },
    '`amount` must be a whole number from 1 to 99999999, not null.',
  )
  await refuse('POST /auth/api-keys', { keySecret: null }, '`keySecret` is not a known field.')
  await refuse('POST /auth/api-keys', 'null', 'The body must be a JSON object.')
  await refuse('POST /auth/api-keys/leaked', { secrets: [null] }, '`secrets[0]` must be a JSON object, not null.')
})

test('in a PATCH null clears a field, and an absent one is required', async () => {
  assert.equal((await service.call('PATCH /users/me', { token, body: { name: 'Ana' } })).body.user.name, 'Ana')
  const cleared = await service.call('PATCH /users/me', { token, body: { name: null } })
  assert.deepEqual([cleared.status, cleared.body.user.name, cleared.body.user.needsOnboarding], [200, null, true])
  assert.equal((await userOf(service.db, 'ana@example.com')).name, null)
  assertError(await service.call('PATCH /users/me', { token, body: {} }), 'VALIDATION_FAILED', '`name` is required.')
})

test('of an optional field, PATCH keeps the null and POST drops it, within lists too', () => {
  const field = { properties: { name: { type: 'string' } } }
  const schema = { properties: { list: { items: field } } }
  for (const [method, kept] of [
    ['PATCH', { name: null }],
    ['POST', {}],
  ] as const) {
    assert.deepEqual(normaliseBody(method, field, { name: null }), kept)
    assert.deepEqual(normaliseBody(method, schema, { list: [{ name: null }] }), { list: [kept] })
  }
})

test('blanks around an address, a name, a title and a reference are trimmed, and inner ones stay', async () => {
  const around = (text: string) => `\u00a0 ${text}\u3000 `
  const signup = { email: around('trim@example.com'), name: around('Ana  Pop'), keyName: around('my key') }
  const { status, body } = await service.call('POST /auth/api/signup', { body: signup })
  assert.deepEqual([status, body.user.email, body.apiKey.name], [201, 'trim@example.com', 'my key'])
  assert.equal((await userOf(service.db, 'trim@example.com')).name, 'Ana  Pop')
  assert.equal((await service.call('PATCH /users/me', { token, body: { name: ' Ana ' } })).body.user.name, 'Ana')
  const link = { amount: 100, title: around('a b'), reference: around('INV 1') }
  const { paymentLink } = (await service.call('POST /payment-links', { token, body: link })).body
  assert.deepEqual([paymentLink.title, paymentLink.reference], ['a b', 'INV 1'])
  const listed = await service.call('GET /payment-links?reference=%20INV%201%20', { token })
  assert.deepEqual(
    listed.body.paymentLinks.map(({ id }: { id: string }) => id),
    [paymentLink.id],
  )
  assert.equal((await service.call('POST /auth/request', { body: { email: ' trim@example.com ' } })).status, 200)
})

test('a secret, a token and a URL are not trimmed', async () => {
  const { apiKey, keySecret } = (await service.call('POST /auth/api-keys', { token })).body
  const spaced = { keyId: apiKey.keyId, keySecret: ` ${keySecret}` }
  assertError(await service.call('POST /auth/api/token', { body: spaced }), 'INVALID_CREDENTIALS')
})

test('line breaks and tabs around a name are not blanks: refused, like inner ones', async () => {
  await recipientsOf(service)
  const stored = await databaseContent(service.db)
  for (const name of ['Ana\n', '\rAna', 'Ana\u2028', '\tAna']) {
    const answer = await service.call('PATCH /users/me', { token, body: { name } })
    assertError(answer, 'VALIDATION_FAILED', /^`name` must be printable text/)
  }
  assert.deepEqual(await databaseContent(service.db), stored)
})
