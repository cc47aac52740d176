import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { comeBack, startFlow, startGoogleService } from '../../../support/google/google.ts'
import type { GoogleService, Started } from '../../../support/google/google.ts'
import { answerJson } from '../../../support/google/issuer.ts'
import { secretsIn } from '../../../support/secret-search.ts'
import type { Answer } from '../../../support/service.ts'

const ACCESS_TOKEN = 'ya29.access-token-of-the-test'
let service: GoogleService
/** URL and headers of each request to the token endpoint. */
const requestHeads: string[] = []

before(async () => {
  service = await startGoogleService({ APP_URL: 'https://app.example.com', LOG_LEVEL: 'trace' })
})
after(() => service.close())

type Ending = Readonly<{ parameters?: Record<string, string>; claims?: Record<string, unknown>; token?: () => void }>

/** Runs one sign-in and returns all of its secrets, with the browser's answer and first redirect. */
async function signInWith(ending: Ending, headers: Record<string, string> = {}) {
  const started: Started = await startFlow(service, { redirectTo: 'https://app.example.com/after-the-sign-in' })
  const { jar, state, nonce, location } = started
  const cookie = [...jar.cookies.values()].join()
  service.issuer.idToken = service.issuer.sign(service.issuer.claims({ nonce, ...ending.claims }))
  const code = `4/code-of-${state.slice(0, 20)}`
  service.issuer.handlers.token = (request, response) => {
    requestHeads.push(`${request.url} ${request.rawHeaders.join(' ')}`)
    if (ending.token)
      return (ending.token(), answerJson(response, { error: 'invalid_client', error_description: code }, 401))
    return answerJson(response, {
      access_token: ACCESS_TOKEN,
      token_type: 'Bearer',
      expires_in: 3599,
      id_token: service.issuer.idToken,
    })
  }
  const calls = service.issuer.tokenRequests.length
  const answer = await comeBack(service, jar, { code, state, ...ending.parameters }, headers)
  const verifier = service.issuer.tokenRequests[calls]?.get('code_verifier') ?? ''
  const secrets = new Map([
    ['code', code],
    ['state', state],
    ['nonce', nonce],
    ['ID token', service.issuer.idToken],
    ['access token', ACCESS_TOKEN],
    ['cookie', cookie],
    ['client secret', service.issuer.clientSecret],
    ...(verifier === '' ? [] : [['verifier', verifier] as const]),
  ])
  const token = answer.body?.token ?? new URLSearchParams(answer.headers.get('location')?.split('#')[1]).get('token')
  if (token) secrets.set('our token', token)
  return { secrets, answer, location }
}

const textOf = ({ text, headers }: Answer) => `${text}\n${[...headers].join('\n')}`

test('with LOG_LEVEL=trace the log has no secret and no query string of a sign-in, however it ends [O12]', async () => {
  const seen = new Map<string, string>()
  const endings: Ending[] = [
    {},
    { claims: { nonce: 'another' } },
    { claims: { email_verified: false } },
    { parameters: { error: 'access_denied', error_description: 'no' } },
    { parameters: { iss: 'https://evil.example' } },
    { parameters: { state: 'forged' } },
    { parameters: { code: 'c'.repeat(3000) } },
    { token: () => {} },
  ]
  const statuses: number[] = []
  for (const [index, ending] of endings.entries()) {
    for (const headers of [{}, { accept: 'text/html' }] as Record<string, string>[]) {
      const { secrets, answer } = await signInWith(ending, headers)
      statuses.push(answer.status)
      for (const [name, secret] of secrets) seen.set(`${name} ${index} ${headers['accept'] ?? ''}`, secret)
    }
  }
  assert.ok(new Set(statuses).size >= 5, `the endings differ: ${statuses.join()}`)
  const log = service.logLines.join('\n')
  assert.ok(
    log.split('\n').filter((line) => line.includes('"msg":"request"')).length >= 2 * 16,
    'the log has a line per request',
  )
  assert.match(log, /invalid_client/, 'the log tells the operator about the wrong client secret')
  assert.deepEqual(secretsIn(log, seen), [])
  for (const text of [
    'state=',
    'code=',
    '?',
    'redirectTo',
    'after-the-sign-in',
    '@gmail.com',
    '#token',
    'google-flow-',
  ]) {
    assert.equal(log.includes(text), false, text)
  }
})

test('the client secret and the verifier are sent in the token request’s body only [O12]', async () => {
  requestHeads.length = 0
  const calls = service.issuer.tokenRequests.length
  const { secrets, answer, location } = await signInWith({})
  assert.equal(answer.status, 200)
  const body = service.issuer.tokenRequests.slice(calls)
  assert.equal(body.length, 1)
  assert.equal(body[0]?.get('client_secret'), service.issuer.clientSecret)
  assert.equal(requestHeads.length, 1)
  assert.deepEqual(secretsIn(requestHeads.join(), secrets), [], 'neither in its URL nor in its headers')
  const ours = new Map([...secrets].filter(([name]) => ['client secret', 'verifier', 'cookie'].includes(name)))
  assert.equal(ours.size, 3)
  assert.deepEqual(secretsIn(location.href, ours), [])
})

test('an answer contains none of Google’s secrets, only the service’s own access token [O12]', async () => {
  const endings = [{}, { claims: { nonce: 'another' } }, { token: () => {} }, { parameters: { error: 'x' } }]
  for (const headers of [{}, { accept: 'text/html' }] as Record<string, string>[]) {
    for (const ending of endings) {
      const { secrets, answer } = await signInWith(ending, headers)
      secrets.delete('our token')
      assert.deepEqual(secretsIn(textOf(answer), secrets), [])
    }
  }
  const config = await service.call('GET /auth/config')
  assert.equal(config.text.includes(service.issuer.clientSecret), false)
})

test('no part of the flow is accepted as an access token, and no access token as a part of the flow [O10, J10]', async () => {
  const { secrets } = await signInWith({})
  const ours = secrets.get('our token') ?? ''
  assert.equal((await service.call('GET /users/me', { token: ours })).status, 200)
  for (const [name, token] of secrets) {
    if (name !== 'our token') assertError(await service.call('GET /users/me', { token }), 'UNAUTHORIZED')
  }
  const { jar } = await startFlow(service)
  const [name = ''] = [...jar.cookies.keys()]
  jar.cookies.set(name, ours)
  const earlier = service.issuer.hits.token
  assertError(await comeBack(service, jar, { code: ours, state: ours }), 'OAUTH_STATE_INVALID')
  assert.equal(jar.cookies.size, 0)
  assert.equal(service.issuer.hits.token, earlier)
})
