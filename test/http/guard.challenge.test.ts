/** A refusal has a challenge that any parser can read, and no cache keeps a token or a refusal. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable } from '../support/http/answers.ts'
import { createKey } from '../support/accounts/keys.ts'
import { mailedToken } from '../support/mail/links.ts'
import { sendRaw } from '../support/wire/raw.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** Parses exactly one challenge (RFC 9110, section 11.6.1), completely or not at all. */
function readChallenge(field: string): { scheme: string; parameters: [string, string][] } {
  const [, scheme = '', rest = ''] = /^([!#$%&'*+.^`|~\w-]+) +(.*)$/.exec(field) ?? []
  const parameter = /([!#$%&'*+.^`|~\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([!#$%&'*+.^`|~\w-]+))\s*(?:,\s*|$)/y
  const parameters: [string, string][] = []
  while (parameter.lastIndex < rest.length) {
    const match = parameter.exec(rest)
    assert.ok(match, `no challenge: ${field}`)
    parameters.push([(match[1] ?? '').toLowerCase(), match[2] ?? match[3] ?? ''])
  }
  return { scheme, parameters }
}

test('every 401 of the guard has one challenge of one scheme, with a realm and unique parameters [B1, B2]', async () => {
  const token = await service.signIn('ana@example.com')
  await service.call('POST /auth/tokens/revoke', { token })
  const requests: Readonly<Record<string, readonly string[]>> = {
    'no credentials': [],
    'another scheme': ['Authorization: Basic YTpi'],
    'no token': ['Authorization: Bearer'],
    'a forged token': ['Authorization: Bearer a.b.c'],
    'a revoked token': [`Authorization: Bearer ${token}`],
    'two tokens': [`Authorization: Bearer ${token}`, `Authorization: Bearer ${token}`],
    'a quote and a line': ['Authorization: Bearer "\\"\t, realm="x"'],
  }
  const metadata = `${service.origin}/.well-known/oauth-protected-resource/api/v1`
  for (const [what, lines] of Object.entries(requests)) {
    for (const line of ['GET /api/v1/users/me HTTP/1.1', 'POST /api/v1/auth/api-keys HTTP/1.1']) {
      const { status, headers } = await sendRaw(service.origin, [line, ...lines])
      assert.equal(status, 401, what)
      const { scheme, parameters } = readChallenge(headers.get('www-authenticate') ?? '')
      assert.equal(scheme, 'Bearer', what)
      const error = ['no credentials', 'another scheme'].includes(what) ? [] : [['error', 'invalid_token']]
      assert.deepEqual(parameters, [['realm', 'paylink-auth'], ...error, ['resource_metadata', metadata]], what)
    }
  }
})

test('control: this test’s parser rejects malformed challenges', () => {
  for (const field of ['Bearer', 'Bearer realm', 'Bearer realm="x', 'Bearer realm="x" error="y"', '']) {
    const read = () => assert.notDeepEqual(readChallenge(field).parameters, [])
    assert.throws(read, assert.AssertionError, field)
  }
})

test('a 401 of a public endpoint has no challenge, because it does not refuse a bearer token [B1]', async () => {
  const exchanged = await service.call('POST /auth/api/token', { body: { keyId: 'plk_x', keySecret: 'pls_x' } })
  const verified = await service.call('GET /auth/verify?token=x')
  for (const answer of [exchanged, verified]) {
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('www-authenticate'), null)
  }
})

test('every answer that contains or refuses a token or a secret is no-store [B5, K10]', async () => {
  const { call } = service
  const signUp = (email: string) => call('POST /auth/api/signup', { body: { email } })
  const exchange = (keyId: string, keySecret: string) => call('POST /auth/api/token', { body: { keyId, keySecret } })
  const signedUp = await signUp('bob@example.com')
  const { token, apiKey, keySecret } = signedUp.body
  await service.smtp.mailTo('bob@example.com')
  const exchanged = await exchange(apiKey.keyId, keySecret)
  const created = await call('POST /auth/api-keys', { token })
  const link = await mailedToken(service, 'cia@example.com')
  const verified = await call(`GET /auth/verify?token=${link}`)
  for (const answer of [signedUp, exchanged, created, verified]) {
    assert.ok([200, 201].includes(answer.status), answer.text)
    assert.match(answer.text, /eyJ|pls_/)
    assertUncacheable(answer)
    assert.equal(answer.headers.get('etag'), null)
  }

  // `assertError` checks the same.
  assertError(await signUp('bob@example.com'), 'EMAIL_TAKEN')
  assertError(await signUp('nobody'), 'VALIDATION_FAILED')
  assertError(await exchange(apiKey.keyId, 'pls_wrong'), 'INVALID_CREDENTIALS')
  assertError(await call('POST /auth/api/token', { body: '{' }), 'VALIDATION_FAILED')
  assertError(await call(`GET /auth/verify?token=${link}`), 'LINK_INVALID')
  assertError(await call('GET /auth/verify'), 'VALIDATION_FAILED')
  assertError(await call('POST /auth/api-keys'), 'UNAUTHORIZED')
  const waiting = await service.signUp('dan@example.com')
  await service.signIn('dan@example.com')
  assertError(await exchange(waiting.apiKey.keyId, waiting.keySecret), 'KEY_AWAITS_OWNER')
})

test('a browser’s redirect with the link’s token is no-store [B5]', async () => {
  const link = await mailedToken(service, 'eva@example.com')
  const answer = await service.call(`GET /auth/verify?token=${link}`, { headers: { accept: 'text/html' } })
  assert.equal(answer.status, 302)
  assertUncacheable(answer)
})

test('tokens have the lifetime of their sign-in method: 604,800 seconds by sign-in, 3,600 by key [J16]', async () => {
  const { call } = service
  const secondsOf = (token: string) => {
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return claims.exp - claims.iat
  }
  const link = await mailedToken(service, 'fay@example.com')
  const verified = await call(`GET /auth/verify?token=${link}`)
  assert.equal(secondsOf(verified.body.token), 604_800)

  const signedUp = await call('POST /auth/api/signup', { body: { email: 'gus@example.com' } })
  const { token } = await createKey(service, verified.body.token).then(({ apiKey, keySecret }) =>
    call('POST /auth/api/token', { body: { keyId: apiKey.keyId, keySecret } }).then(({ body }) => body),
  )
  assert.equal(signedUp.body.expiresInSeconds, 3600)
  assert.deepEqual([secondsOf(signedUp.body.token), secondsOf(token)], [3600, 3600])
})
