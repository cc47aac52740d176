/** Attacks on `GET /auth/google/callback`: codes, states, issuers and texts that are not what this browser was sent for. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../support/answers.ts'
import { atOnce } from '../../support/at-once.ts'
import { comeBack, startFlow, startGoogleService } from '../../support/google.ts'
import type { CookieJar, GoogleService, Started } from '../../support/google.ts'
import { answerJson, startIssuer } from '../../support/issuer.ts'
import type { Answer } from '../../support/service.ts'
import { contentOf, recipientsOf } from '../../support/state.ts'

const browser = { accept: 'text/html' }
let service: GoogleService

before(async () => {
  service = await startGoogleService({ APP_URL: 'https://app.example.com', LOG_LEVEL: 'trace' })
})
after(() => service.close())

/** Runs `act`, which signs nobody in: no account, identity, event or mail, and so many calls of the token endpoint. */
async function assertNobodySignsIn<T>(tokenCalls: number, act: () => Promise<T>): Promise<T> {
  const look = async () => {
    const { spent: _spent, ...stored } = await contentOf(service.db)
    return { sent: await recipientsOf(service), stored }
  }
  const [before, calls] = [await look(), service.issuer.hits.token]
  const result = await act()
  assert.deepEqual(await look(), before)
  assert.equal(service.issuer.hits.token - calls, tokenCalls, 'calls of the token endpoint')
  return result
}

/** Comes back with a query as it stands. */
async function comeBackWith(jar: CookieJar, query: string, headers = {}): Promise<Answer> {
  const answer = await service.call(`GET /auth/google/callback?${query}`, { headers: { ...jar.header(), ...headers } })
  jar.take(answer)
  return answer
}

/** From now on the issuer's next answer tells of a user of this flow. */
function vouchFor({ nonce }: Started, claims: Record<string, unknown> = {}): void {
  service.issuer.idToken = service.issuer.sign(service.issuer.claims({ nonce, ...claims }))
}

/** The right flow, with what it takes to finish it. */
async function begin(): Promise<Started> {
  const started = await startFlow(service)
  vouchFor(started)
  return started
}

/** A jar with the same cookies, kept by whoever saw them. */
function copyOf({ cookies }: CookieJar): Record<string, string> {
  return { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }
}

test('an iss that is not the issuer to the letter is refused before anything is sent, errors too [O5, O8]', async (t) => {
  const attacker = await startIssuer()
  t.after(() => attacker.close())
  const { url } = service.issuer
  for (const iss of [
    `${url}/`,
    `${url}?`,
    url.toUpperCase(),
    url.replace('http:', 'https:'),
    url.replace('http://', ''),
    url.replace('127.0.0.1', 'localhost'),
    attacker.url,
    `${url},${attacker.url}`,
    ` ${url}`,
    '',
    'https://accounts.google.com',
  ]) {
    const issued = `iss=${encodeURIComponent(iss)}`
    for (const rest of ['code=c', 'error=access_denied', 'code=c&error=server_error']) {
      const started = await begin()
      const answer = await assertNobodySignsIn(0, () =>
        comeBackWith(started.jar, `${issued}&state=${started.state}&${rest}`),
      )
      assertError(answer, 'OAUTH_STATE_INVALID')
      assert.equal(started.jar.cookies.size, 0)
    }
  }
  assert.deepEqual(attacker.hits, { discovery: 0, jwks: 0, token: 0 }, 'whom iss names is never asked')
})

test('a doubled iss, state, code or error is refused, the right one first or last [O5, CVE-2026-9689]', async () => {
  const right = (name: string, { state }: Started) =>
    encodeURIComponent({ iss: service.issuer.url, state, code: 'c' }[name] ?? 'access_denied')
  for (const [name, code] of [
    ['iss', 'OAUTH_STATE_INVALID'],
    ['state', 'OAUTH_STATE_INVALID'],
    ['code', 'VALIDATION_FAILED'],
    ['error', 'OAUTH_DENIED'],
  ] as const) {
    for (const second of ['right', 'wrong']) {
      for (const rightFirst of [true, false]) {
        const started = await begin()
        const pair = [right(name, started), second === 'right' ? right(name, started) : 'x']
        const values = (rightFirst ? pair : pair.toReversed()).map((value) => `${name}=${value}`)
        const others = ['state', 'code'].filter((other) => other !== name)
        const query = [...values, ...others.map((other) => `${other}=${right(other, started)}`)].join('&')
        const answer = await assertNobodySignsIn(0, () => comeBackWith(started.jar, query))
        assertError(answer, code)
        assert.equal(started.jar.cookies.size, 0, query)
      }
    }
  }
})

test('an issuer that says it always names itself is refused where iss is missing [O5]', async (t) => {
  const announcing = await startGoogleService()
  t.after(() => announcing.close())
  const { issuer } = announcing
  issuer.handlers.discovery = (_request, response) =>
    answerJson(response, {
      issuer: issuer.url,
      authorization_endpoint: `${issuer.url}/authorize`,
      token_endpoint: `${issuer.url}/token`,
      jwks_uri: `${issuer.url}/jwks`,
      authorization_response_iss_parameter_supported: true,
    })
  const started = await startFlow(announcing)
  issuer.idToken = issuer.sign(issuer.claims({ nonce: started.nonce }))
  const answer = await comeBack(announcing, started.jar, { code: 'c', state: started.state })
  assert.ok(answer.status === 400 || answer.status === 401, answer.text)
  assert.equal(issuer.hits.token, 0)
  const named = await startFlow(announcing)
  issuer.idToken = issuer.sign(issuer.claims({ nonce: named.nonce }))
  const parameters = { code: 'c', state: named.state, iss: issuer.url }
  assert.equal((await comeBack(announcing, named.jar, parameters)).status, 200)
})

test('a code that is missing, empty of sense or 8 KB long is never forwarded', async () => {
  for (const query of ['', '&code', `&code=${'c'.repeat(2049)}`, `&code=${'c'.repeat(8192)}`, '&code[]=c', '&Code=c']) {
    const started = await begin()
    const isEmpty = query === '&code'
    const answer = await assertNobodySignsIn(0, () => comeBackWith(started.jar, `state=${started.state}${query}`))
    assertError(answer, isEmpty ? 'GOOGLE_CREDENTIAL_INVALID' : 'VALIDATION_FAILED')
    assert.equal(answer.text.includes('ccc'), false)
    assert.equal(started.jar.cookies.size, 0)
  }
})

test('what is in the code stays one field of the form, and changes neither address nor header', async () => {
  const odd = 'x&client_secret=y&redirect_uri=https://evil.example\r\nHost: evil.example\0#?%00=+ä"\\'
  const started = await begin()
  const answer = await comeBackWith(started.jar, new URLSearchParams({ code: odd, state: started.state }).toString())
  assert.equal(answer.status, 200, answer.text)
  const form = service.issuer.tokenRequests.at(-1)
  assert.equal(form?.get('code'), odd)
  for (const name of form?.keys() ?? []) assert.equal(form?.getAll(name).length, 1, name)
  assert.equal(form?.get('redirect_uri'), `${service.baseUrl}/auth/google/callback`)
})

test("another browser's callback is refused: with no cookie, or with the cookie of its own flow [O2, CVE-2023-31999]", async () => {
  const victim = await begin()
  const attacker = await begin()
  for (const jar of [{ ...attacker.jar, header: () => ({}) }, attacker.jar]) {
    const query = `code=c&state=${victim.state}`
    assertError(await assertNobodySignsIn(0, () => comeBackWith(jar, query)), 'OAUTH_STATE_INVALID')
  }
  assert.equal(attacker.jar.cookies.size, 0)
  // The flow of the other browser is none the worse.
  vouchFor(victim)
  assert.equal((await comeBackWith(victim.jar, `code=c&state=${victim.state}`)).status, 200)
})

test("a code that was issued to another browser's sign-in is refused, by its nonce and by its verifier [O3]", async () => {
  const [victim, attacker] = [await begin(), await begin()]
  // A provider that forgot PKCE: the ID token still names the other's nonce.
  vouchFor(victim)
  const query = `code=code-of-the-victim&state=${attacker.state}`
  assertError(await assertNobodySignsIn(1, () => comeBackWith(attacker.jar, query)), 'GOOGLE_CREDENTIAL_INVALID')
  assert.equal(attacker.jar.cookies.size, 0)
  const verifierOf = service.issuer.tokenRequests.at(-1)?.get('code_verifier')
  vouchFor(victim)
  assert.equal((await comeBackWith(victim.jar, `code=c&state=${victim.state}`)).status, 200)
  assert.notEqual(service.issuer.tokenRequests.at(-1)?.get('code_verifier'), verifierOf)
})

test('a nonce that is wrong, missing, empty, or of another type is refused', async () => {
  for (const change of [
    { nonce: 'x' },
    { nonce: undefined },
    { nonce: '' },
    { nonce: null },
    { nonce: true },
    { nonce: [] },
  ] as const) {
    const started = await begin()
    vouchFor(started, change)
    const answer = await assertNobodySignsIn(1, () => comeBackWith(started.jar, `code=c&state=${started.state}`))
    assertError(answer, 'GOOGLE_CREDENTIAL_INVALID')
    assert.equal(started.jar.cookies.size, 0)
  }
  const started = await begin()
  const listed = [started.nonce]
  vouchFor(started, { nonce: listed })
  assertError(await comeBackWith(started.jar, `code=c&state=${started.state}`), 'GOOGLE_CREDENTIAL_INVALID')
})

test('a callback repeated with a kept cookie is refused, and no code goes out again [O2, O8, CVE-2025-46815, GHSA-7w99-5wm4-3g79]', async () => {
  for (const first of ['code=c', 'error=access_denied', 'code=c&iss=https://evil.example', '']) {
    const started = await begin()
    const kept = copyOf(started.jar)
    const query = `state=${started.state}`
    await comeBackWith(started.jar, `${query}&${first}`)
    assert.equal(started.jar.cookies.size, 0)
    for (const again of ['code=c', 'code=another', 'error=access_denied']) {
      const answer = await assertNobodySignsIn(0, () => comeBackWith(started.jar, `${query}&${again}`, kept))
      assertError(answer, 'OAUTH_STATE_INVALID')
      assert.match(answer.headers.getSetCookie().join(), /Max-Age=0/)
    }
  }
})

test('of twenty equal callbacks at once one signs in, and one code goes out [CVE-2026-34224]', async () => {
  const started = await begin()
  const kept = copyOf(started.jar)
  const calls = service.issuer.hits.token
  const answers = await atOnce(service, 20, () =>
    service.call(`GET /auth/google/callback?code=c&state=${started.state}`, { headers: kept }),
  )
  const refused = answers.filter(({ status }) => status !== 200)
  assert.equal(refused.length, 19)
  for (const answer of refused) assertError(answer, 'OAUTH_STATE_INVALID')
  assert.equal(service.issuer.hits.token - calls, 1)
})

test('an ID token that Google gives twice signs in once, whatever flow it comes to [GHSA-7w99-5wm4-3g79]', async () => {
  const started = await begin()
  assert.equal((await comeBackWith(started.jar, `code=c&state=${started.state}`)).status, 200)
  const other = await startFlow(service)
  const answer = await assertNobodySignsIn(1, () => comeBackWith(other.jar, `code=c&state=${other.state}`))
  assertError(answer, 'GOOGLE_CREDENTIAL_INVALID')
  const credential = { credential: service.issuer.idToken }
  const tapped = await assertNobodySignsIn(0, () => service.call('POST /auth/google/onetap', { body: credential }))
  assertError(tapped, 'GOOGLE_CREDENTIAL_INVALID')
})

test('a code that Google refuses is an invalid credential, and nothing of its answer is repeated', async () => {
  service.issuer.handlers.token = (_request, response) =>
    answerJson(response, { error: 'invalid_grant', error_description: '<b>spent</b>' }, 400)
  try {
    const started = await begin()
    const answer = await assertNobodySignsIn(1, () => comeBackWith(started.jar, `code=c&state=${started.state}`))
    assertError(answer, 'GOOGLE_CREDENTIAL_INVALID')
    assert.equal(answer.text.includes('spent'), false)
    assert.equal(started.jar.cookies.size, 0)
  } finally {
    delete service.issuer.handlers.token
  }
})

test('no text of the query comes back in an answer, a header or a log line [O9]', async () => {
  const marked = ['<script>alert("marked")</script>', 'marked\r\nSet-Cookie: marked=1', 'marked\0', '%0d%0aLocation: https://marked.example']
  const from = service.logLines.length
  for (const text of marked) {
    for (const name of ['error', 'error_description', 'error_uri', 'scope', 'authuser', 'hd', 'prompt', 'iss', 'code']) {
      for (const withState of [true, false]) {
        const redirectTo = 'https://app.example.com/after'
        const { jar, state } = await startFlow(service, { redirectTo })
        const query = new URLSearchParams({
          ...(name === 'iss' ? {} : { error: 'access_denied' }),
          [name]: text,
          state: withState ? state : text,
        }).toString()
        const answer = await comeBackWith(jar, query, browser)
        assert.equal(answer.status, withState ? 302 : 400)
        const said = `${answer.text} ${[...answer.headers].join(' ')} ${decodeURIComponent(answer.headers.get('location') ?? '')}`
        assert.equal(said.includes('marked'), false, said)
      }
    }
  }
  const lines = service.logLines.slice(from).join('\n')
  assert.match(lines, /auth\/google\/callback/, 'there is something to search')
  assert.equal(lines.includes('marked'), false)
  assert.equal(lines.includes('error_description'), false)
})
