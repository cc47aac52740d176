import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { bearerChallenge } from '../../support/http/answers.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Call, Service } from '../../support/service.ts'
import { databaseContent, recipientsOf } from '../../support/database/state.ts'

const BODY = '{"error":{"message":"Unauthorized","code":"UNAUTHORIZED"}}'
const NO_CREDENTIALS = undefined
const INVALID_TOKEN = 'invalid_token'

let service: Service
let token: string

before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
  await recipientsOf(service)
})
after(() => service.close())

/** Asserts the one refusal: exact body, one challenge, no hint at the reason. */
function assertUnauthorized(answer: Answer, error: string | undefined, what: unknown): void {
  const label = JSON.stringify(what)
  assert.equal(answer.status, 401, label)
  assert.equal(answer.text, BODY, label)
  assert.equal(answer.headers.get('www-authenticate'), bearerChallenge(service.origin, error), label)
  assert.equal(answer.headers.get('cache-control'), 'no-store', label)
}

/** `GET /users/me` with these header lines, one byte for each character. */
const withLines = (...lines: string[]) => sendRaw(service.origin, ['GET /api/v1/users/me HTTP/1.1', ...lines])

const assertAlive = async () => assert.equal((await service.call('GET /users/me', { token })).status, 200)

test('control: one bearer token is accepted, whatever the case of scheme and header name and the number of spaces [B3]', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    assert.equal((await withLines(`Authorization: ${scheme} ${token}`)).status, 200, scheme)
    assert.equal((await withLines(`AUTHORIZATION:${scheme} ${token}`)).status, 200, scheme)
    assert.equal((await withLines(`Authorization: ${scheme}   ${token}  `)).status, 200, scheme)
  }
})

test('without credentials, or with another scheme, the challenge names no error [B2]', async () => {
  assertUnauthorized(await withLines(), NO_CREDENTIALS, 'no header')
  const others = ['', 'Basic YTpi', 'Digest username="a"', token, `Token ${token}`, `Bearers ${token}`]
  for (const value of [...others, `Bearer-X ${token}`, `XBearer ${token}`, `"Bearer" ${token}`]) {
    assertUnauthorized(await withLines(`Authorization: ${value}`), NO_CREDENTIALS, value)
  }
})

test('bearer credentials that are not one token are refused as invalid_token [B2, B3, B6, GHSA-xmf8-cvqr-rfgj]', async () => {
  const values = [
    'Bearer',
    'Bearer ',
    'Bearer  ',
    `Bearer\t${token}`,
    `Bearer ${token} x`,
    `Bearer x ${token}`,
    `Bearer ${token}, Bearer ${token}`,
    `Bearer ${token},`,
    `Bearer ${token}, Basic YTpi`,
    `Bearer ${token};`,
    `Bearer "${token}"`,
    `Bearer=${token}`,
    `Bearer:${token}`,
    `Bearer Bearer ${token}`,
    `Bearer token=${token}`,
    `Bearer ${token}%20`,
    'Bearer %',
    'Bearer %00',
    'Bearer %zz',
    'Bearer %E0%A4%A',
    'Bearer %ff',
    'Bearer %c0%af',
    'Bearer %u0041',
    'Bearer null',
    'Bearer undefined',
  ]
  for (const value of values) {
    assertUnauthorized(await withLines(`Authorization: ${value}`), INVALID_TOKEN, value)
  }
  await assertAlive()
})

test('two Authorization headers are refused, equal or not, in either order [B2, B3]', async () => {
  const good = `Authorization: Bearer ${token}`
  assertUnauthorized(await withLines(good, good), INVALID_TOKEN, 'twice the same')
  assertUnauthorized(await withLines(good, `authorization: Bearer ${token}`), INVALID_TOKEN, 'two spellings')
  assertUnauthorized(await withLines(good, 'Authorization: Bearer x'), INVALID_TOKEN, 'an invalid one second')
  assertUnauthorized(await withLines('Authorization: Bearer x', good), INVALID_TOKEN, 'an invalid one first')
  assertUnauthorized(await withLines(good, 'Authorization: Basic YTpi'), INVALID_TOKEN, 'another scheme second')
  assertUnauthorized(await withLines('Authorization: Basic YTpi', good), NO_CREDENTIALS, 'another scheme first')
  await assertAlive()
})

test('a token in the query, the body, a cookie or another header is ignored [B4]', async () => {
  for (const name of ['access_token', 'token', 'authorization', 'bearer_token']) {
    const inQuery = await service.call(`GET /users/me?${name}=${token}`)
    assertUnauthorized(inQuery, NO_CREDENTIALS, `query ${name}`)
    const inBody = await service.call('POST /auth/api-keys', { body: { [name]: token } })
    assertUnauthorized(inBody, NO_CREDENTIALS, `body ${name}`)
    const inForm = await service.call('POST /auth/api-keys', {
      body: `${name}=${token}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    assertUnauthorized(inForm, NO_CREDENTIALS, `form ${name}`)
    const inCookie = await service.call('GET /users/me', { headers: { cookie: `${name}=${token}` } })
    assertUnauthorized(inCookie, NO_CREDENTIALS, `cookie ${name}`)
  }
  for (const name of ['proxy-authorization', 'x-authorization', 'x-access-token']) {
    const answer = await service.call('GET /users/me', { headers: { [name]: `Bearer ${token}` } })
    assertUnauthorized(answer, NO_CREDENTIALS, name)
  }
})

test('bytes outside ASCII in the header are refused, and the process keeps running [B6, GHSA-xmf8-cvqr-rfgj]', async () => {
  const highBytes = Array.from({ length: 128 }, (_, index) => String.fromCharCode(0x80 + index))
  for (const byte of highBytes) {
    const answer = await withLines(`Authorization: Bearer ${byte}${token}`)
    assertUnauthorized(answer, INVALID_TOKEN, byte.charCodeAt(0))
  }
  const all = highBytes.join('')
  assertUnauthorized(await withLines(`Authorization: Bearer ${all}`), INVALID_TOKEN, 'all of them')
  assertUnauthorized(await withLines(`Authorization: Bearer ${token}${all}`), INVALID_TOKEN, 'behind')
  assertUnauthorized(await withLines(`Authorization: ${all}`), NO_CREDENTIALS, 'as the scheme')
  await assertAlive()
})

describe('before any other check of the request', () => {
  const post = 'POST /auth/api-keys'
  const wrong: Readonly<Record<string, readonly [string, Call]>> = {
    'an unsupported currency': [post, { headers: { 'x-currency': 'USD' }, body: {} }],
    'an unsupported currency on GET': ['GET /auth/api-keys', { headers: { 'x-currency': 'ron' } }],
    'a content type that is not JSON': [post, { headers: { 'content-type': 'text/plain' }, body: 'x' }],
    'a body over 64 KiB': [post, { body: { name: 'x'.repeat(70_000) } }],
    'a body that is not JSON': [post, { body: '{' }],
    'a body that fails validation': [post, { body: { name: 1, more: 2 } }],
    'an unknown id': ['POST /auth/api-keys/nothing/revoke', {}],
    'several errors at once': [
      post,
      { headers: { 'x-currency': 'USD', 'content-type': 'a/b' }, body: 'x'.repeat(70_000) },
    ],
  }

  for (const [what, [route, call]] of Object.entries(wrong)) {
    test(`${what} gets 401 without a token and with an invalid one, and writes nothing`, async () => {
      const stored = await databaseContent(service.db)
      const badToken = `${token.slice(0, -20)}${'A'.repeat(20)}`
      assertUnauthorized(await service.call(route, call), NO_CREDENTIALS, what)
      assertUnauthorized(await service.call(route, { ...call, token: badToken }), INVALID_TOKEN, what)
      assert.deepEqual(await databaseContent(service.db), stored)
    })

    test(`control: ${what} gets another error with a valid token`, async () => {
      const { status } = await service.call(route, { ...call, token })
      assert.ok([400, 404, 413, 415].includes(status), String(status))
    })
  }
})
