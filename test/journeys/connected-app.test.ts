/** Standard client libraries connect an app: discovery, consent, code, a call, and the 401 after a disconnection. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as oauth from 'oauth4webapi'
import * as client from 'openid-client'
import { appsOf, decide, inspect, startApp } from '../support/accounts/apps.ts'
import type { App } from '../support/accounts/apps.ts'
import { startService } from '../support/service.ts'
import type { Service } from '../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

/** What browser and person do: the address of the app to which the browser returns. */
async function comeBack(authorizationUrl: URL, person: string): Promise<URL> {
  const page = await fetch(authorizationUrl, { redirect: 'manual' })
  const query = new URL(page.headers.get('location') ?? '').search.slice(1)
  const { body, text } = await inspect(service, person, query)
  assert.equal(body.refused, null, text)
  const decided = await decide(service, person, { requestId: body.request.id, allow: true })
  assert.equal(decided.status, 200, decided.text)
  return new URL(decided.body.redirectTo)
}

const meAs = async (token: string) => (await service.call('GET /users/me', { token })).status

async function disconnect(person: string): Promise<void> {
  const [connected] = await appsOf(service, person)
  const { status } = await service.call(`POST /auth/apps/${connected.id}/revoke`, { token: person })
  assert.equal(status, 200)
}

async function openidConfiguration({ clientId }: App) {
  return client.discovery(new URL(service.origin), clientId, undefined, client.None(), {
    algorithm: 'oauth2',
    execute: [client.allowInsecureRequests],
  })
}

test('openid-client, which asks for every scope of the metadata, gets what an app can have [A19]', async (t) => {
  const app = await startApp(t)
  const person = await service.signIn('ana@example.com')
  const config = await openidConfiguration(app)
  const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
  const authorizationUrl = client.buildAuthorizationUrl(config, {
    redirect_uri: app.redirectUri,
    scope: config.serverMetadata().scopes_supported?.join(' ') ?? '',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource: service.baseUrl,
  })
  const returned = await comeBack(authorizationUrl, person)
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  const tokens = await client.authorizationCodeGrant(config, returned, checks)
  assert.equal(tokens.scope, 'account:read events:read payment_links:read payment_links:write')
  assert.equal(tokens.refresh_token, undefined)
  assert.equal(tokens.id_token, undefined)
  assert.equal(await meAs(tokens.access_token), 200)
  await disconnect(person)
  assert.equal(await meAs(tokens.access_token), 401)
  await assert.rejects(client.authorizationCodeGrant(config, returned, checks), { error: 'invalid_grant' })
})

test('openid-client refuses an answer with another issuer or state, and a denied consent is an error [A11]', async (t) => {
  const app = await startApp(t)
  const person = await service.signIn('bob@example.com')
  const config = await openidConfiguration(app)
  const [verifier, state] = [client.randomPKCECodeVerifier(), client.randomState()]
  const authorizationUrl = client.buildAuthorizationUrl(config, {
    redirect_uri: app.redirectUri,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
  })
  const returned = await comeBack(authorizationUrl, person)
  const checks = { pkceCodeVerifier: verifier, expectedState: state }
  for (const [name, value] of [
    ['iss', 'https://evil.example'],
    ['state', 'another'],
  ] as const) {
    const changed = new URL(returned)
    changed.searchParams.set(name, value)
    await assert.rejects(client.authorizationCodeGrant(config, changed, checks), { code: 'OAUTH_INVALID_RESPONSE' })
  }
  const { body } = await inspect(service, person, authorizationUrl.search.slice(1))
  const denied = await decide(service, person, { requestId: body.request.id, allow: false })
  const back = new URL(denied.body.redirectTo)
  await assert.rejects(client.authorizationCodeGrant(config, back, checks), { error: 'access_denied' })
})

test('oauth4webapi, which checks every answer, connects and gives the access back [A19]', async (t) => {
  const app = await startApp(t)
  const person = await service.signIn('cia@example.com')
  const options = { [oauth.allowInsecureRequests]: true }
  const issuer = new URL(service.origin)
  const discovered = await oauth.discoveryRequest(issuer, { ...options, algorithm: 'oauth2' })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const verifier = oauth.generateRandomCodeVerifier()
  const url = new URL(server.authorization_endpoint ?? '')
  url.search = app.query({ code_challenge: await oauth.calculatePKCECodeChallenge(verifier) })
  const agent: oauth.Client = { client_id: app.clientId }
  const parameters = oauth.validateAuthResponse(server, agent, await comeBack(url, person), 'some state')
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    agent,
    oauth.None(),
    parameters,
    app.redirectUri,
    verifier,
    options,
  )
  const { access_token: token } = await oauth.processAuthorizationCodeResponse(server, agent, answer)
  assert.equal(await meAs(token), 200)
  await oauth.processRevocationResponse(await oauth.revocationRequest(server, agent, oauth.None(), token, options))
  assert.equal(await meAs(token), 401)
  assert.deepEqual(await appsOf(service, person), [])
})
