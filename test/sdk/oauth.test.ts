/** The client with tokens from an OAuth library, and with the one token of an app that a person has connected. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inspect } from 'node:util'
import { allowInsecureRequests, clientCredentialsGrant, discovery } from 'openid-client'
import { createClient, UnauthorizedError } from '../../sdk/src/index.ts'
import type { GetToken } from '../../sdk/src/index.ts'
import { oauthTokens } from '../../sdk/src/token-source.ts'
import { consent, redeem, startApp } from '../support/accounts/apps.ts'
import { createKey } from '../support/accounts/keys.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

let service: Service
let person: string
let requests: string[]

before(async () => {
  requests = []
  service = await startService({}, (app) => {
    app.addHook('onRequest', async ({ method, url }) => void requests.push(`${method} ${url.replace('/api/v1', '')}`))
  })
  person = await service.signIn('ana@example.com')
})
after(() => service.close())

async function requestsOf(act: () => Promise<unknown>): Promise<string[]> {
  requests.length = 0
  await act()
  return [...requests]
}

const TOKEN = 'POST /oauth/token'
const ME = 'GET /users/me'
const clientOf = (token: GetToken) => createClient({ baseUrl: service.baseUrl, token })

test('client_credentials of openid-client: concurrent calls share one request, and a refused token is renewed once', async () => {
  const { apiKey, keySecret } = await createKey(service, person)
  const issuer = new URL(service.origin)
  const options = { algorithm: 'oauth2' as const, execute: [allowInsecureRequests] }
  const oauth = await discovery(issuer, apiKey.keyId, keySecret, undefined, options)
  const client = clientOf(() => clientCredentialsGrant(oauth))
  const together = await requestsOf(() => Promise.all([1, 2, 3].map(() => client.GET('/users/me'))))
  assert.deepEqual(together, [TOKEN, ME, ME, ME])
  assert.deepEqual(await requestsOf(() => client.GET('/users/me')), [ME])
  const token = await client.token()
  assert.ok(!inspect(client, { depth: 20, showHidden: true }).includes(token))

  await service.call('POST /auth/tokens/revoke', { token: person })
  person = await service.signIn('ana@example.com')
  const renewed = await requestsOf(async () => {
    assert.equal((await client.GET('/users/me')).data.user.email, 'ana@example.com')
  })
  assert.deepEqual(renewed, [ME, TOKEN, ME])
})

test('the token of an app is used until it is refused, and then the function gets another', async (t) => {
  const app = await startApp(t)
  const connect = async () => (await redeem(service, app, await consent(service, person, app))).body
  let tokens = await connect()
  let consents = 1
  const client = clientOf(async (refused) => {
    if (tokens.access_token === refused) {
      tokens = await connect()
      consents += 1
    }
    return { access_token: tokens.access_token }
  })
  for (let n = 0; n < 2; n += 1) await client.GET('/users/me')
  assert.equal(consents, 1)
  const { apps } = (await service.call('GET /auth/apps', { token: person })).body
  await service.call(`POST /auth/apps/${apps[0].id}/revoke`, { token: person })
  assert.equal((await client.GET('/users/me')).data.user.email, 'ana@example.com')
  assert.equal(consents, 2)
})

test('a refused token that the function gives again is not sent again', async () => {
  const asked: (string | undefined)[] = []
  const client = clientOf(async (refused) => {
    asked.push(refused)
    return { access_token: 'abc.def.ghi' }
  })
  assert.deepEqual(await requestsOf(() => assert.rejects(client.GET('/users/me'), UnauthorizedError)), [ME])
  assert.deepEqual(asked, [undefined, 'abc.def.ghi'])
  await assert.rejects(client.token('abc.def.ghi'), TypeError)
})

test('an error of the function, or an answer without a token, fails the call without a request, and shows no token', async () => {
  const failure = new Error('the person said no')
  let calls = 0
  const failing = clientOf(async () => {
    calls += 1
    throw failure
  })
  const told = await requestsOf(async () => {
    const results = await Promise.allSettled([failing.GET('/users/me'), failing.GET('/users/me')])
    for (const result of results) assert.ok(result.status === 'rejected' && result.reason === failure)
    assert.equal(calls, 1)
    await assert.rejects(failing.GET('/users/me'))
    assert.equal(calls, 2)
    for (const wrong of [{}, { access_token: 'a secret' }, { access_token: 'a', expires_in: 0 }]) {
      const error = await clientOf(async () => wrong as { access_token: string })
        .GET('/users/me')
        .catch((thrown: unknown) => thrown)
      assert.ok(error instanceof TypeError)
      assert.ok(!inspect(error).includes('a secret'))
    }
  })
  assert.deepEqual(told, [])
})

test('a token is renewed in its last minute; one without expires_in is not', async () => {
  let nowMs = 0
  let calls = 0
  const sourceOf = (expires_in: number | undefined) =>
    oauthTokens(
      async () => ({ access_token: `t${(calls += 1)}`, expires_in }),
      () => nowMs,
    )
  const expiring = sourceOf(3600)
  assert.equal(await expiring(), 't1')
  nowMs = 3_539_999
  assert.equal(await expiring(), 't1')
  nowMs = 3_540_000
  assert.equal(await expiring(), 't2')
  const lasting = sourceOf(undefined)
  assert.equal(await lasting(), 't3')
  nowMs = 1e15
  assert.equal(await lasting(), 't3')
})
