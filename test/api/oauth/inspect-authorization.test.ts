/** `POST /oauth/authorize/inspect`: who asks for what, by the client's document; or why it is refused. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { ask, inspect, startApp } from '../../support/accounts/apps.ts'
import { assertNothingHappens } from '../../support/database/state.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service
let token: string

before(async () => {
  service = await startService()
  token = await service.signIn('ana@example.com')
})
after(() => service.close())

/** Asserts that a query is refused without a row, and returns the refusal. */
async function refusalOf(query: string) {
  const answer = await assertNothingHappens(service, () => inspect(service, token, query))
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.request, null, answer.text)
  return answer.body.refused
}

test('says who asks, for what, and where the code goes [A62]', async (t) => {
  const app = await startApp(t)
  const answer = await inspect(service, token, app.query({ scope: 'payment_links:write account:read' }))
  assertUncacheable(answer)
  const { id, ...rest } = answer.body.request
  assert.match(id, /^[\da-f-]{36}$/)
  assert.deepEqual(rest, {
    clientId: app.clientId,
    domain: new URL(app.clientId).host,
    name: 'Lunch bot',
    redirectHost: '127.0.0.1:49152',
    isLoopback: true,
    scopes: ['account:read', 'payment_links:write'],
    resource: service.baseUrl,
  })
  assert.equal(answer.body.refused, null)
  assert.deepEqual(app.requests, ['GET /client.json'])
})

test('no scope means the default, and what no app can have is left out [A15]', async (t) => {
  const app = await startApp(t)
  assert.deepEqual((await ask(service, token, app)).scopes, ['account:read', 'payment_links:read'])
  const scope = 'keys:read keys:write account:write tokens:introspect events:read'
  assert.deepEqual((await ask(service, token, app, { scope })).scopes, ['events:read'])
})

test('what a token cannot use at the resource is left out, so that nobody allows it in vain', async (t) => {
  const app = await startApp(t)
  const resource = `${service.baseUrl}/mcp`
  const scope = 'events:read payment_links:read'
  assert.deepEqual((await ask(service, token, app, { scope, resource })).scopes, ['payment_links:read'])
})

test('a redirect URI elsewhere is on the page by its host, without the warning', async (t) => {
  const redirectUri = 'https://assistant.example/back?x=1'
  const app = await startApp(t, { redirect_uris: [redirectUri] })
  const asked = await ask(service, token, app, { redirect_uri: redirectUri })
  assert.deepEqual([asked.redirectHost, asked.isLoopback], ['assistant.example', false])
})

test('while client and redirect URI do not belong together, there is nowhere to send the browser [A3]', async (t) => {
  const app = await startApp(t)
  const queries = [
    '',
    app.query({ client_id: undefined }),
    app.query({ redirect_uri: undefined }),
    app.query({ client_id: 'not a URL' }),
    app.query({ redirect_uri: 'http://127.0.0.1/other' }),
    app.query({ redirect_uri: 'https://evil.example/callback' }),
    app.query({ redirect_uri: 'http://127.0.0.1.evil.example/callback' }),
    ...['x'.repeat(2049), 'a\0b', 'ș', '\n'].map((state) => app.query({ state })),
    `${app.query()}&redirect_uri=https%3A%2F%2Fevil.example`,
    `${app.query()}&client_id=https%3A%2F%2Fevil.example%2Fclient.json`,
  ]
  for (const query of queries) {
    const { redirectTo, error } = await refusalOf(query)
    assert.equal(redirectTo, null, query)
    assert.match(error, /^invalid_(request|client)$/)
  }
})

test('another problem is told the client, with state and issuer [A5, A11, A12, A27, A37]', async (t) => {
  const app = await startApp(t)
  const problems: [Parameters<typeof app.query>[0], string][] = [
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ response_type: 'code token' }, 'unsupported_response_type'],
    [{ response_type: undefined }, 'unsupported_response_type'],
    [{ response_mode: 'fragment' }, 'invalid_request'],
    [{ response_mode: 'web_message' }, 'invalid_request'],
    [{ code_challenge: undefined }, 'invalid_request'],
    [{ code_challenge: 'short' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
    [{ code_challenge_method: undefined }, 'invalid_request'],
    [{ scope: 'everything' }, 'invalid_scope'],
    [{ scope: 'keys:write' }, 'invalid_scope'],
    [{ scope: 'events:read', resource: `${service.baseUrl}/mcp` }, 'invalid_scope'],
    [{ resource: 'https://other.example' }, 'invalid_target'],
    [{ resource: `${service.baseUrl}/` }, 'invalid_target'],
  ]
  for (const [changes, error] of problems) {
    const refused = await refusalOf(app.query(changes))
    assert.equal(refused.error, error, JSON.stringify(changes))
    const { origin, pathname, searchParams } = new URL(refused.redirectTo)
    assert.equal(origin + pathname, app.redirectUri)
    assert.equal(searchParams.get('error'), error)
    assert.equal(searchParams.get('state'), 'some state')
    assert.equal(searchParams.get('iss'), service.origin)
    assert.match(searchParams.get('error_description') ?? '', /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  }
})

test('a document that is not the client’s, or not that of a public client, is refused [A58]', async (t) => {
  const documents = [
    { client_id: 'https://other.example/client.json' },
    { client_id: undefined },
    { redirect_uris: [] },
    { redirect_uris: 'http://127.0.0.1/callback' },
    { client_secret: 'secret' },
    { token_endpoint_auth_method: 'client_secret_basic' },
    { token_endpoint_auth_method: 'private_key_jwt' },
    { grant_types: ['client_credentials'] },
    { response_types: ['token'] },
  ]
  for (const document of documents) {
    const app = await startApp(t, document)
    const { error, redirectTo } = await refusalOf(app.query())
    assert.deepEqual([error, redirectTo], ['invalid_client', null], JSON.stringify(document))
  }
})

test('a script or a frame of another origin gets nothing: the answer needs a bearer token', async (t) => {
  const app = await startApp(t)
  assertError(await service.call('POST /oauth/authorize/inspect', { body: { query: app.query() } }), 'UNAUTHORIZED')
  assert.deepEqual(app.requests, [])
})

test('one person can make it fetch only so many documents [A60]', async (t) => {
  const limited = await startService({ RATE_LIMITS: 'on', RATE_LIMIT_APP_REQUESTS: '2/15m' })
  try {
    const app = await startApp(t, {}, { 'cache-control': 'no-store' })
    const person = await limited.signIn('bob@example.com')
    const calls = async () => (await inspect(limited, person, app.query())).status
    for (let n = 0; n < 2; n += 1) assert.equal(await calls(), 200)
    assertError(await inspect(limited, person, app.query()), 'RATE_LIMITED')
    assert.equal(app.requests.length, 2)
  } finally {
    await limited.close()
  }
})
