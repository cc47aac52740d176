/** A token comes in one Authorization header, as one bearer token, and is looked at before all else. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sendRaw } from '../../support/http/raw.ts'
import { startService } from '../../support/service.ts'
import type { Answer, Call, Service } from '../../support/service.ts'
import { contentOf, recipientsOf } from '../../support/database/state.ts'

const BODY = '{"error":{"message":"Unauthorized","code":"UNAUTHORIZED"}}'
const NO_CREDENTIALS = 'Bearer realm="paylink-auth"'
const INVALID_TOKEN = 'Bearer realm="paylink-auth", error="invalid_token"'

let service: Service
let token: string

before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
  await recipientsOf(service)
})
after(() => service.close())

/** The one refusal: this body to the letter, one challenge, and nothing that tells what was wrong. */
function assertUnauthorized(answer: Answer, challenge: string, what: unknown): void {
  const said = JSON.stringify(what)
  assert.equal(answer.status, 401, said)
  assert.equal(answer.text, BODY, said)
  assert.equal(answer.headers.get('www-authenticate'), challenge, said)
  assert.equal(answer.headers.get('cache-control'), 'no-store', said)
}

/** `GET /users/me` with these header lines, each character one byte. */
const withLines = (...lines: string[]) => sendRaw(service.origin, ['GET /api/v1/users/me HTTP/1.1', ...lines])

const assertAlive = async () => assert.equal((await service.call('GET /users/me', { token })).status, 200)

test('control: one bearer token is taken, however the scheme and the header’s name are written [B3]', async () => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    assert.equal((await withLines(`Authorization: ${scheme} ${token}`)).status, 200, scheme)
    assert.equal((await withLines(`AUTHORIZATION:${scheme} ${token}`)).status, 200, scheme)
  }
})

test('without credentials, or with another scheme’s, the challenge names no error [B2]', async () => {
  assertUnauthorized(await withLines(), NO_CREDENTIALS, 'no header')
  const others = ['', 'Basic YTpi', 'Digest username="a"', token, `Token ${token}`, `Bearers ${token}`]
  for (const value of [...others, `Bearer-X ${token}`, `XBearer ${token}`, `"Bearer" ${token}`]) {
    assertUnauthorized(await withLines(`Authorization: ${value}`), NO_CREDENTIALS, value)
  }
})

test('bearer credentials that are not one token are refused as an invalid one [B2, B3, B6, GHSA-xmf8-cvqr-rfgj]', async () => {
  const values = [
    'Bearer',
    `Bearer  ${token}`,
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

test('two Authorization headers are refused, the same or not, in either order [B2, B3]', async () => {
  const good = `Authorization: Bearer ${token}`
  assertUnauthorized(await withLines(good, good), INVALID_TOKEN, 'twice the same')
  assertUnauthorized(await withLines(good, `authorization: Bearer ${token}`), INVALID_TOKEN, 'two spellings')
  assertUnauthorized(await withLines(good, 'Authorization: Bearer x'), INVALID_TOKEN, 'a bad one behind')
  assertUnauthorized(await withLines('Authorization: Bearer x', good), INVALID_TOKEN, 'a bad one before')
  assertUnauthorized(await withLines(good, 'Authorization: Basic YTpi'), INVALID_TOKEN, 'a scheme behind')
  assertUnauthorized(await withLines('Authorization: Basic YTpi', good), NO_CREDENTIALS, 'a scheme before')
  await assertAlive()
})

test('a token in the query, the body, a cookie or another header is no credential [B4]', async () => {
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

test('bytes that are no ASCII in the header are refused, and the process lives on [B6, GHSA-xmf8-cvqr-rfgj]', async () => {
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
    'a body that is no JSON': [post, { body: '{' }],
    'a body of the wrong form': [post, { body: { name: 1, more: 2 } }],
    'a record that is not there': ['POST /auth/api-keys/nothing/revoke', {}],
    'everything at once': [post, { headers: { 'x-currency': 'USD', 'content-type': 'a/b' }, body: 'x'.repeat(70_000) }],
  }

  for (const [what, [route, call]] of Object.entries(wrong)) {
    test(`${what} is 401 without a token and with a bad one, and writes nothing`, async () => {
      const stored = await contentOf(service.db)
      const badToken = `${token.slice(0, -20)}${'A'.repeat(20)}`
      assertUnauthorized(await service.call(route, call), NO_CREDENTIALS, what)
      assertUnauthorized(await service.call(route, { ...call, token: badToken }), INVALID_TOKEN, what)
      assert.deepEqual(await contentOf(service.db), stored)
    })

    test(`control: ${what} is another error with a good token`, async () => {
      const { status } = await service.call(route, { ...call, token })
      assert.ok([400, 404, 413, 415].includes(status), String(status))
    })
  }
})
