import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable, shapeOf } from '../../support/http/answers.ts'
import { comeBack, startFlow, startGoogleService } from '../../support/google/google.ts'
import type { GoogleService, Started } from '../../support/google/google.ts'
import { assertNothingHappens } from '../../support/database/state.ts'
import { read } from '../../support/accounts/tokens.ts'

const browser = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
const redirectTo = 'https://app.example.com/after?a=b#old'
let service: GoogleService

before(async () => {
  service = await startGoogleService({ APP_URL: 'https://app.example.com' })
})
after(() => service.close())

/** Calls the callback with a code whose ID token is valid except for the given claims. */
function finish({ state, nonce, jar }: Started, claims: Record<string, unknown> = {}, headers = {}) {
  service.issuer.idToken = service.issuer.sign(service.issuer.claims({ nonce, ...claims }))
  return comeBack(service, jar, { code: `code of ${state}`, state, iss: service.issuer.url }, headers)
}

/** The parameters in the fragment of the redirect. */
function fragmentOf(location: string | null): Record<string, string> {
  const url = new URL(location ?? '')
  assert.equal(url.href.replace(url.hash, ''), 'https://app.example.com/after?a=b', 'the query is unchanged')
  return Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
}

test('the callback returns exactly the fields of the specification and clears the cookie', async () => {
  const started = await startFlow(service)
  const answer = await finish(started, { email: 'Ana@gmail.com' })
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual(shapeOf(answer.body), {
    token: 'string',
    needsOnboarding: 'boolean',
    user: { id: 'string', email: 'string', role: 'string' },
  })
  assert.equal(answer.body.user.email, 'ana@gmail.com')
  assertUncacheable(answer)
  assert.equal(started.jar.cookies.size, 0)
  const { claims } = read(answer.body.token)
  assert.deepEqual(claims['amr'], ['google'])
  assert.equal(Number(claims['exp']) - Number(claims['iat']), 7 * 86_400)
  assert.equal((await service.call('GET /users/me', { token: answer.body.token })).body.user.email, 'ana@gmail.com')
})

test('the token endpoint gets the code, the redirect URI and the client secret in its body, once', async () => {
  const earlier = service.issuer.hits.token
  const started = await startFlow(service)
  assert.equal((await finish(started)).status, 200)
  assert.equal(service.issuer.hits.token, earlier + 1)
  const { code_verifier: verifier, ...form } = Object.fromEntries(service.issuer.tokenRequests.at(-1) ?? [])
  assert.match(verifier ?? '', /^[\w-]{43}$/)
  assert.deepEqual(form, {
    grant_type: 'authorization_code',
    code: `code of ${started.state}`,
    redirect_uri: `${service.baseUrl}/auth/google/callback`,
    client_id: service.issuer.clientId,
    client_secret: service.issuer.clientSecret,
  })
})

test('a browser with a redirectTo is redirected there with 302, with the result in the fragment only [O6]', async () => {
  const started = await startFlow(service, { redirectTo })
  const answer = await finish(started, { email: 'web@gmail.com' }, browser)
  assert.equal(answer.status, 302)
  assert.equal(answer.text, '')
  assertUncacheable(answer)
  assert.match(answer.headers.get('vary') ?? '', /accept/i)
  assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
  const { token = '', ...others } = fragmentOf(answer.headers.get('location'))
  assert.deepEqual(others, { needsOnboarding: 'true' })
  assert.equal((await service.call('GET /users/me', { token })).body.user.email, 'web@gmail.com')
})

test('a program gets JSON despite a redirectTo, and so does a browser without one', async () => {
  const program = await finish(await startFlow(service, { redirectTo }))
  assert.equal(program.status, 200)
  assert.equal(program.headers.get('location'), null)
  assert.equal((await finish(await startFlow(service), {}, browser)).status, 200)
})

test('a failed browser sign-in is redirected too, with only the error in the fragment', async () => {
  const failing = [
    [(flow: Started) => finish(flow, { nonce: 'another' }, browser), 'GOOGLE_CREDENTIAL_INVALID'],
    [(flow: Started) => finish(flow, { email_verified: false }, browser), 'EMAIL_NOT_VERIFIED'],
    [({ jar, state }: Started) => comeBack(service, jar, { error: 'access_denied', state }, browser), 'OAUTH_DENIED'],
    [
      ({ jar, state }: Started) => comeBack(service, jar, { code: 'c', state, iss: 'https://evil.example' }, browser),
      'OAUTH_STATE_INVALID',
    ],
  ] as const
  for (const [fail, code] of failing) {
    const started = await startFlow(service, { redirectTo })
    const answer = await fail(started)
    assert.equal(answer.status, 302, `${code} ${answer.text}`)
    const { error, error_description: description = '', ...others } = fragmentOf(answer.headers.get('location'))
    assert.equal(error, code)
    assert.ok(description.length > 10)
    assert.deepEqual(others, {})
    assert.equal(started.jar.cookies.size, 0)
  }
})

test('a refused consent has its own error, creates no account, and makes no call to Google [O9]', async () => {
  for (const error of ['access_denied', 'server_error', 'temporarily_unavailable', 'interaction_required', '', 'x y']) {
    const started = await startFlow(service)
    const earlier = service.issuer.hits.token
    const users = await service.db.query.selectFrom('users').select('id').execute()
    const answer = await comeBack(service, started.jar, { error, state: started.state, code: 'code' })
    assertError(answer, 'OAUTH_DENIED')
    assert.equal(service.issuer.hits.token, earlier)
    assert.equal(started.jar.cookies.size, 0)
    assert.deepEqual(await service.db.query.selectFrom('users').select('id').execute(), users)
    // The flow has ended: a later code is refused.
    assertError(await finish(started), 'OAUTH_STATE_INVALID')
  }
})

test('a state unknown to this browser’s cookies is refused, and ends every flow of the browser [O2]', async () => {
  const earlier = service.issuer.hits.token
  for (const state of ['', 'x', 'A'.repeat(43), 'null', 'undefined', '__proto__']) {
    const { jar } = await startFlow(service)
    const { nonce } = await startFlow(service, { jar })
    service.issuer.idToken = service.issuer.sign(service.issuer.claims({ nonce }))
    const answer = await assertNothingHappens(service, () => comeBack(service, jar, { code: 'code', state }))
    assertError(answer, 'OAUTH_STATE_INVALID')
    assert.equal(jar.cookies.size, 0)
  }
  const { jar } = await startFlow(service)
  assertError(await comeBack(service, jar, { code: 'code' }), 'OAUTH_STATE_INVALID')
  assert.equal(jar.cookies.size, 0)
  assert.equal(service.issuer.hits.token, earlier)
})

test('HEAD consumes neither the flow nor the code', async () => {
  const started = await startFlow(service)
  const earlier = service.issuer.hits.token
  const query = new URLSearchParams({ code: 'code', state: started.state }).toString()
  const head = await assertNothingHappens(service, () =>
    service.call(`HEAD /auth/google/callback?${query}`, { headers: started.jar.header() }),
  )
  assert.equal(head.status, 200)
  assert.deepEqual(head.headers.getSetCookie(), [])
  assert.equal(service.issuer.hits.token, earlier)
  assert.equal((await finish(started)).status, 200)
})

test('a prefetch by another site sends no cookie, and so consumes nothing', async () => {
  const started = await startFlow(service)
  const query = new URLSearchParams({ code: 'code', state: started.state }).toString()
  for (const headers of [
    { 'sec-purpose': 'prefetch;prerender', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-dest': 'image', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site', ...browser },
  ]) {
    const answer = await assertNothingHappens(service, () =>
      service.call(`GET /auth/google/callback?${query}`, { headers }),
    )
    assertError(answer, 'OAUTH_STATE_INVALID')
    assert.deepEqual(answer.headers.getSetCookie(), [])
  }
  assert.equal((await finish(started)).status, 200)
})
