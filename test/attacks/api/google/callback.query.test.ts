import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import {
  assertRefusedSignIn,
  startFlowWithValidIdToken,
  callCallbackWithQuery,
} from '../../../support/google/callback-calls.ts'
import { comeBack, startFlow, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService, Started } from '../../../support/google/google.ts'
import { answerJson, startIssuer } from '../../../support/google/issuer.ts'

const browser = { accept: 'text/html' }
let service: GoogleService

before(async () => {
  service = await startGoogleService({ APP_URL: 'https://app.example.com', LOG_LEVEL: 'trace' })
})
after(() => service.close())

test('an iss that differs from the issuer in any character is refused before any request to Google, for error callbacks too [O5, O8]', async (t) => {
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
      const started = await startFlowWithValidIdToken(service)
      const answer = await assertRefusedSignIn(service, 0, () =>
        callCallbackWithQuery(service, started.jar, `${issued}&state=${started.state}&${rest}`),
      )
      assertError(answer, 'OAUTH_STATE_INVALID')
      assert.equal(started.jar.cookies.size, 0)
    }
  }
  assert.deepEqual(attacker.hits, { discovery: 0, jwks: 0, token: 0 }, 'the server named by iss gets no request')
})

test('a repeated iss, state, code or error is refused, whether the right value comes first or last [O5, CVE-2026-9689]', async () => {
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
        const started = await startFlowWithValidIdToken(service)
        const pair = [right(name, started), second === 'right' ? right(name, started) : 'x']
        const values = (rightFirst ? pair : pair.toReversed()).map((value) => `${name}=${value}`)
        const others = ['state', 'code'].filter((other) => other !== name)
        const query = [...values, ...others.map((other) => `${other}=${right(other, started)}`)].join('&')
        const answer = await assertRefusedSignIn(service, 0, () => callCallbackWithQuery(service, started.jar, query))
        assertError(answer, code)
        assert.equal(started.jar.cookies.size, 0, query)
      }
    }
  }
})

test('a callback without iss is refused if the issuer’s metadata announces the iss parameter [O5]', async (t) => {
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

test('a missing, invalid or overlong code is never forwarded', async () => {
  for (const query of ['', '&code', `&code=${'c'.repeat(2049)}`, `&code=${'c'.repeat(8192)}`, '&code[]=c', '&Code=c']) {
    const started = await startFlowWithValidIdToken(service)
    const isEmpty = query === '&code'
    const answer = await assertRefusedSignIn(service, 0, () =>
      callCallbackWithQuery(service, started.jar, `state=${started.state}${query}`),
    )
    assertError(answer, isEmpty ? 'GOOGLE_CREDENTIAL_INVALID' : 'VALIDATION_FAILED')
    assert.equal(answer.text.includes('ccc'), false)
    assert.equal(started.jar.cookies.size, 0)
  }
})

test('the code stays one field of the token request’s form and changes neither URL nor headers', async () => {
  const odd = 'x&client_secret=y&redirect_uri=https://evil.example\r\nHost: evil.example\0#?%00=+ä"\\'
  const started = await startFlowWithValidIdToken(service)
  const answer = await callCallbackWithQuery(
    service,
    started.jar,
    new URLSearchParams({ code: odd, state: started.state }).toString(),
  )
  assert.equal(answer.status, 200, answer.text)
  const form = service.issuer.tokenRequests.at(-1)
  assert.equal(form?.get('code'), odd)
  for (const name of form?.keys() ?? []) assert.equal(form?.getAll(name).length, 1, name)
  assert.equal(form?.get('redirect_uri'), `${service.baseUrl}/auth/google/callback`)
})

test('no text of the query appears in an answer, a header or a log line [O9]', async () => {
  const marked = [
    '<script>alert("marked")</script>',
    'marked\r\nSet-Cookie: marked=1',
    'marked\0',
    '%0d%0aLocation: https://marked.example',
  ]
  const from = service.logLines.length
  for (const text of marked) {
    for (const name of [
      'error',
      'error_description',
      'error_uri',
      'scope',
      'authuser',
      'hd',
      'prompt',
      'iss',
      'code',
    ]) {
      for (const withState of [true, false]) {
        const redirectTo = 'https://app.example.com/after'
        const { jar, state } = await startFlow(service, { redirectTo })
        const query = new URLSearchParams({
          ...(name === 'iss' ? {} : { error: 'access_denied' }),
          [name]: text,
          state: withState ? state : text,
        }).toString()
        const answer = await callCallbackWithQuery(service, jar, query, browser)
        assert.equal(answer.status, withState ? 302 : 400)
        const leaked = `${answer.text} ${[...answer.headers].join(' ')} ${decodeURIComponent(answer.headers.get('location') ?? '')}`
        assert.equal(leaked.includes('marked'), false, leaked)
      }
    }
  }
  const lines = service.logLines.slice(from).join('\n')
  assert.match(lines, /auth\/google\/callback/, 'the log has lines of the endpoint')
  assert.equal(lines.includes('marked'), false)
  assert.equal(lines.includes('error_description'), false)
})
