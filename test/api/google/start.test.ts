import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { comeBack, cookieJar, startFlow, startGoogleService } from '../../support/google/google.ts'
import type { GoogleService } from '../../support/google/google.ts'
import { sendRaw } from '../../support/wire/raw.ts'
import { startService } from '../../support/service.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

const ROUTE = 'GET /auth/google/start'
let service: GoogleService

before(async () => {
  service = await startGoogleService({ APP_URL: 'https://app.example.com' })
})
after(() => service.close())

test('starting a sign-in returns 302 to the consent screen with exactly the required parameters', async () => {
  const answer = await assertNothingHappens(service, () => service.call(ROUTE))
  assert.equal(answer.status, 302)
  assert.equal(answer.text, '')
  assertUncacheable(answer)
  const location = new URL(answer.headers.get('location') ?? '')
  assert.equal(location.origin + location.pathname, `${service.issuer.url}/authorize`)
  const { state, nonce, code_challenge: challenge, ...others } = Object.fromEntries(location.searchParams)
  assert.deepEqual(others, {
    client_id: service.issuer.clientId,
    redirect_uri: `${service.baseUrl}/auth/google/callback`,
    response_type: 'code',
    scope: 'openid email',
    code_challenge_method: 'S256',
  })
  for (const value of [state, nonce, challenge]) assert.match(value ?? '', /^[\w-]{43}$/)
  assert.equal(new Set([state, nonce, challenge]).size, 3)
  assert.equal([...location.searchParams].length, 8, 'no parameter is repeated')
})

test('the challenge is the SHA-256 of the verifier, which only the token endpoint gets [O4]', async () => {
  const { location, state, nonce, jar } = await startFlow(service)
  service.issuer.idToken = service.issuer.sign(service.issuer.claims({ nonce }))
  assert.equal((await comeBack(service, jar, { code: 'code', state })).status, 200)
  const verifier = service.issuer.tokenRequests.at(-1)?.get('code_verifier') ?? ''
  assert.match(verifier, /^[\w-]{43}$/, '256 bits, in characters that need no escaping')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  assert.equal(location.searchParams.get('code_challenge'), challenge)
  assert.equal(location.href.includes(verifier), false)
})

test('the redirect URI is the configured one, whatever host the request names [O7]', async () => {
  const path = `${new URL(service.baseUrl).pathname}/auth/google/start`
  const evil = 'evil.example'
  for (const fields of [
    [`Host: ${evil}`],
    [`X-Forwarded-Host: ${evil}`, 'X-Forwarded-Proto: https', 'X-Forwarded-Port: 444', 'X-Forwarded-Prefix: /evil'],
    [`Forwarded: host=${evil};proto=https`],
    [`X-Host: ${evil}`, `X-Original-Host: ${evil}`, `X-Original-URL: https://${evil}/`, `Origin: https://${evil}`],
    [`Referer: https://${evil}/`],
  ]) {
    const answer = await sendRaw(service.origin, [`GET ${path} HTTP/1.1`, ...fields])
    assert.equal(answer.status, 302, `${fields.join()} ${answer.text}`)
    const location = new URL(answer.headers.get('location') ?? '')
    assert.equal(location.searchParams.get('redirect_uri'), `${service.baseUrl}/auth/google/callback`, fields.join())
    assert.equal(location.href.includes('evil'), false, fields.join())
  }
  const withQuery = await service.call(`${ROUTE}?redirect_uri=https://${evil}/&client_id=x&scope=x&state=x&prompt=none`)
  const location = new URL(withQuery.headers.get('location') ?? '')
  assert.deepEqual(location.searchParams.getAll('redirect_uri'), [`${service.baseUrl}/auth/google/callback`])
  assert.equal(location.searchParams.has('prompt'), false)
})

test('a redirectTo on the frontend is stored in the cookie and not sent to Google', async () => {
  const { location } = await startFlow(service, { redirectTo: 'https://app.example.com/after?a=b#c' })
  assert.equal(decodeURIComponent(location.href).includes('app.example.com'), false)
})

test('a redirectTo that is foreign, repeated, empty or too long is refused, and sets no cookie [CVE-2026-9689]', async () => {
  const own = encodeURIComponent('https://app.example.com/')
  const long = (character: string, count: number) => `https://app.example.com/${character.repeat(count)}`
  for (const [query, code] of [
    [`redirectTo=https://evil.example/`, 'REDIRECT_NOT_ALLOWED'],
    [`redirectTo=`, 'REDIRECT_NOT_ALLOWED'],
    [`redirectTo=${own}&redirectTo=${own}`, 'VALIDATION_FAILED'],
    [`redirectTo=${own}&redirectTo=https://evil.example/`, 'VALIDATION_FAILED'],
    [`redirectTo=${long('a', 1001)}`, 'VALIDATION_FAILED'],
    // Short, but too long after percent-encoding.
    [`redirectTo=${encodeURIComponent(long('ä', 900))}`, 'VALIDATION_FAILED'],
  ] as const) {
    const answer = await assertNothingHappens(service, () => service.call(`${ROUTE}?${query}`))
    assertError(answer, code)
    assert.deepEqual(answer.headers.getSetCookie(), [], query)
    assert.equal(answer.headers.get('location'), null)
  }
})

test('HEAD responds like GET and stores nothing; other methods are refused [O6]', async () => {
  assert.equal((await assertNothingHappens(service, () => service.call('HEAD /auth/google/start'))).status, 302)
  // A 307 or 308 would forward a body with its secrets.
  for (const path of ['start', 'callback?code=x&state=x', 'start/', 'callback/']) {
    for (const method of ['GET', 'POST', 'PUT']) {
      const answer = await service.call(`${method} /auth/google/${path}`)
      assert.ok(![301, 307, 308].includes(answer.status), `${method} ${path}: ${answer.status}`)
      if (method !== 'GET' && !path.endsWith('/')) assertError(answer, 'METHOD_NOT_ALLOWED')
    }
  }
})

test('without configuration every Google endpoint says so, sets no cookie, and /auth/config does not offer Google [CVE-2026-30863]', async (t) => {
  const without = await startService()
  t.after(() => without.close())
  const token = await without.signIn('no-google@example.com')
  assert.equal((await without.call('GET /auth/config')).body.google, null)
  const body = { credential: service.issuer.sign() }
  for (const [route, call] of [
    [ROUTE, {}],
    ['GET /auth/google/callback?code=x&state=x', {}],
    ['GET /auth/google/callback', {}],
    ['POST /auth/google/onetap', { body }],
    ['GET /auth/google/connection', { token }],
    ['POST /auth/google/connection', { token, body }],
    ['DELETE /auth/google/connection', { token }],
  ] as const) {
    const answer = await assertNothingHappens(without, () => without.call(route, call))
    assertError(answer, 'GOOGLE_NOT_CONFIGURED')
    assert.deepEqual([answer.status, answer.headers.get('retry-after')], [501, null], route)
    assert.deepEqual(answer.headers.getSetCookie(), [], route)
  }
  assert.deepEqual((await service.call('GET /auth/config')).body.google, { clientId: service.issuer.clientId })
})

test('without configuration a browser that came with redirectTo goes there with the error', async (t) => {
  const without = await startService({ APP_URL: 'https://app.example.com' })
  t.after(() => without.close())
  const accept = { headers: { accept: 'text/html' } }
  const own = `${ROUTE}?redirectTo=${encodeURIComponent('https://app.example.com/after?a=b')}`
  const answer = await without.call(own, accept)
  assert.equal(answer.status, 302, answer.text)
  const url = new URL(answer.headers.get('location') ?? '')
  assert.equal(url.href.replace(url.hash, ''), 'https://app.example.com/after?a=b')
  const outcome = Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
  assert.deepEqual(outcome, {
    error: 'GOOGLE_NOT_CONFIGURED',
    error_description: 'This service does not offer sign-in with Google.',
  })
  assert.deepEqual(answer.headers.getSetCookie(), [])
  assertError(await without.call(own), 'GOOGLE_NOT_CONFIGURED')
  assertError(await without.call(`${ROUTE}?redirectTo=https://evil.example/`, accept), 'REDIRECT_NOT_ALLOWED')
  assertError(await without.call(ROUTE, accept), 'GOOGLE_NOT_CONFIGURED')
})

test('starting a sign-in needs no cookie and ignores foreign ones', async () => {
  const jar = cookieJar()
  jar.cookies.set('session', 'x').set('google-flow-', 'x').set('__Host-google-flow-x', 'y')
  const { location } = await startFlow(service, { jar })
  assert.equal(location.pathname, '/authorize')
})
