/** Where the secrets of a sign-in with Google go: to the token endpoint's body, and into no log, address or answer. */
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
/** What each request of the token endpoint was, apart from its body. */
const heads: string[] = []

before(async () => {
  service = await startGoogleService({ APP_URL: 'https://app.example.com', LOG_LEVEL: 'trace' })
})
after(() => service.close())

type Ending = Readonly<{ parameters?: Record<string, string>; claims?: Record<string, unknown>; token?: () => void }>

/** One sign-in, whatever becomes of it: all that is secret in it, and all that the browser was given. */
async function signInWith(ending: Ending, headers: Record<string, string> = {}) {
  const started: Started = await startFlow(service, { redirectTo: 'https://app.example.com/after-the-sign-in' })
  const { jar, state, nonce, location } = started
  const cookie = [...jar.cookies.values()].join()
  service.issuer.idToken = service.issuer.sign(service.issuer.claims({ nonce, ...ending.claims }))
  const code = `4/code-of-${state.slice(0, 20)}`
  service.issuer.handlers.token = (request, response) => {
    heads.push(`${request.url} ${request.rawHeaders.join(' ')}`)
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

test('at LOG_LEVEL=trace no secret of a sign-in is in the log, however it ends, nor any query [O12]', async () => {
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
  assert.ok(log.split('\n').filter((line) => line.includes('"msg":"request"')).length >= 2 * 16, 'there is a log')
  assert.match(log, /invalid_client/, 'the operator is told what to mend')
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

test('the client secret and the verifier are in the body of the token request alone [O12]', async () => {
  heads.length = 0
  const calls = service.issuer.tokenRequests.length
  const { secrets, answer, location } = await signInWith({})
  assert.equal(answer.status, 200)
  const body = service.issuer.tokenRequests.slice(calls)
  assert.equal(body.length, 1)
  assert.equal(body[0]?.get('client_secret'), service.issuer.clientSecret)
  assert.equal(heads.length, 1)
  assert.deepEqual(secretsIn(heads.join(), secrets), [], 'neither in its address nor in its header')
  const ours = new Map([...secrets].filter(([name]) => ['client secret', 'verifier', 'cookie'].includes(name)))
  assert.equal(ours.size, 3)
  assert.deepEqual(secretsIn(location.href, ours), [])
})

test('what Google gave for the sign-in is in no answer, and only our own token is [O12]', async () => {
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

test('nothing of the flow stands in for an access token, and no access token for a part of the flow [O10, J10]', async () => {
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
