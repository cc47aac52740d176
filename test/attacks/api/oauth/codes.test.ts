/** Nobody gets a token with a code that is not theirs, by a trick or in a race with its end. */
import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { hash, randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { appsOf, ask, connect, consent, decide, redeem, startApp } from '../../../support/accounts/apps.ts'
import type { App } from '../../../support/accounts/apps.ts'
import { createKey, tokenOf } from '../../../support/accounts/keys.ts'
import { assertNothingHappens } from '../../../support/database/state.ts'
import { assertError } from '../../../support/http/answers.ts'
import { assertOAuthError, postForm } from '../../../support/http/oauth.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

const REFUSED = /^The code is unknown, used or expired/
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const stateOf = async (token: string) => (await service.call('GET /users/me', { token })).status

/** An app whose challenge is that of this verifier, well-formed or not. */
async function appWith(t: Parameters<typeof startApp>[0], codeVerifier: string): Promise<App> {
  const app = await startApp(t)
  const challenge = hash('sha256', codeVerifier, 'base64url')
  return { ...app, codeVerifier, query: (changes) => app.query({ code_challenge: challenge, ...changes }) }
}

test('a verifier has 43 to 128 unreserved characters, even if the challenge is its hash [A7]', async (t) => {
  const owner = await service.signIn('ana@example.com')
  for (const verifier of ['a'.repeat(43), 'a'.repeat(128), `${'a'.repeat(39)}-._~`]) {
    const app = await appWith(t, verifier)
    assert.equal((await redeem(service, app, await consent(service, owner, app))).status, 200, verifier)
  }
  const middle = 'a'.repeat(42)
  for (const verifier of [
    middle,
    'a'.repeat(129),
    `${middle} a`,
    `${middle}+`,
    `${middle}ș`,
    `${middle}\0`,
    `${middle}a\n`,
  ]) {
    const app = await appWith(t, verifier)
    const code = await consent(service, owner, app)
    assertOAuthError(await redeem(service, app, code), 'INVALID_GRANT', REFUSED)
  }
})

test('the challenge is no verifier: `S256` cannot be read as `plain` [A6]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('bob@example.com')
  const code = await consent(service, owner, app)
  const challenge = hash('sha256', app.codeVerifier, 'base64url')
  for (const codeVerifier of [challenge, app.codeVerifier]) {
    assertOAuthError(await redeem(service, app, code, { code_verifier: codeVerifier }), 'INVALID_GRANT', REFUSED)
  }
})

test('a code of the attacker’s own consent does not work for the client that is made to present it [A8]', async (t) => {
  const app = await startApp(t)
  const attacker = await service.signIn('eve@example.com')
  // The same client and redirect URI: only the verifier is of another session.
  const injected = await consent(service, attacker, app)
  const verifier = randomBytes(32).toString('base64url')
  assertOAuthError(await redeem(service, app, injected, { code_verifier: verifier }), 'INVALID_GRANT', REFUSED)
  assert.deepEqual(await appsOf(service, attacker), [])
})

test('other spellings of the client id, the redirect URI and the resource are others [A1, A16]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('cia@example.com')
  const changes = [
    { client_id: app.clientId.toUpperCase() },
    { client_id: app.clientId.replace('127.0.0.1', 'localhost') },
    { client_id: `${app.clientId}#` },
    { client_id: `${app.clientId}\0` },
    { redirect_uri: `${app.redirectUri}/` },
    { redirect_uri: `${app.redirectUri}?` },
    { redirect_uri: app.redirectUri.replace('http:', 'HTTP:') },
    { redirect_uri: app.redirectUri.replace('127.0.0.1', '127.0.0.1.') },
  ]
  for (const change of changes) {
    const code = await consent(service, owner, app)
    assertOAuthError(await redeem(service, app, code, change), 'INVALID_GRANT', REFUSED)
  }
  const { baseUrl } = service
  const resources = [
    `${baseUrl}/`,
    `${baseUrl}#x`,
    `${baseUrl}?x`,
    baseUrl.replace('http', 'HTTP'),
    `${baseUrl}/MCP`,
    'api',
    '\0',
  ]
  const code = await consent(service, owner, app)
  for (const resource of resources) {
    assertOAuthError(await redeem(service, app, code, { resource }), 'INVALID_TARGET')
  }
  assert.equal((await redeem(service, app, code)).status, 200)
})

test('codes of any length and character are refused without a failure [A9]', async (t) => {
  const app = await startApp(t)
  await assertNothingHappens(service, async () => {
    for (const code of ['\0', 'a\0b', ' ', 'x'.repeat(50_000), '\u{10ffff}', "' or 1=1 --", 'null'])
      assertOAuthError(await redeem(service, app, code), 'INVALID_GRANT', REFUSED)
  })
})

test('nothing secret is read from the query of the token endpoint [A39]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('dan@example.com')
  const code = await consent(service, owner, app)
  const fields = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    client_id: app.clientId,
    redirect_uri: app.redirectUri,
    code_verifier: app.codeVerifier,
  })
  await assertNothingHappens(service, async () => {
    assertOAuthError(
      await postForm(service, `/oauth/token?${fields.toString()}`, {}),
      'VALIDATION_FAILED',
      /`grant_type` is required/,
    )
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE']) {
      assert.equal((await service.call(`${method} /oauth/token?${fields.toString()}`)).status, 405, method)
    }
    for (const path of ['/oauth/introspect', '/oauth/revoke']) {
      assertOAuthError(
        await postForm(service, `${path}?token=${owner}`, {}),
        'VALIDATION_FAILED',
        /`token` is required/,
      )
      assert.equal((await service.call(`GET ${path}?token=${owner}`)).status, 405, path)
    }
  })
  assert.equal((await redeem(service, app, code)).status, 200)
})

test('the token of an app does nothing that was not consented to, at any endpoint [A15]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('fay@example.com')
  const scope = 'account:read events:read payment_links:read payment_links:write'
  const token = await connect(service, owner, app, { scope })
  const key = await createKey(service, owner)
  const { id } = key.apiKey
  const forbidden = [
    'PATCH /users/me',
    'POST /users/me/email',
    'DELETE /users/me',
    'GET /users/me/export',
    'POST /auth/tokens/revoke',
    'GET /auth/sessions',
    'GET /auth/api-keys',
    'POST /auth/api-keys',
    `POST /auth/api-keys/${id}/revoke`,
    `POST /auth/api-keys/${id}/rotate`,
    'GET /auth/apps',
    `POST /auth/apps/${id}/revoke`,
    'POST /oauth/authorize/inspect',
    'POST /oauth/authorize/decide',
  ]
  await assertNothingHappens(service, async () => {
    for (const route of forbidden) {
      const answer = await service.call(route, { token, ...(!route.startsWith('GET') && { body: {} }) })
      assert.equal(answer.status, 403, `${route}: ${answer.text}`)
    }
    assertOAuthError(
      await postForm(service, '/oauth/introspect', { token }, { authorization: `Bearer ${token}` }),
      'INSUFFICIENT_SCOPE',
      /tokens:introspect/,
    )
  })
})

test('of ten exchanges, each beside a disconnection of one of the apps, no token is left [A30]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('gil@example.com')
  const codes: string[] = []
  for (let n = 0; n < 10; n += 1) codes.push(await consent(service, owner, app))
  const connected = await appsOf(service, owner)
  assert.equal(connected.length, 10)
  const both = await Promise.all(
    codes.flatMap((code, n) => [
      redeem(service, app, code),
      service.call(`POST /auth/apps/${connected[9 - n].id}/revoke`, { token: owner }),
    ]),
  )
  const tokens = both.flatMap(({ body }) => body.access_token ?? [])
  for (const token of tokens) assert.equal(await stateOf(token), 401)
  assert.deepEqual(await appsOf(service, owner), [])
})

test('of a sign-out everywhere in the middle of ten consents no access is left [A30]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('hal@example.com')
  const ids: string[] = []
  for (let n = 0; n < 10; n += 1) ids.push((await ask(service, owner, app)).id)
  const allow = (requestId: string) => decide(service, owner, { requestId, allow: true })
  const earlier = ids.slice(0, 5).map(allow)
  await Promise.race(earlier)
  const revoked = service.call('POST /auth/tokens/revoke', { token: owner })
  const decided = await Promise.all([...earlier, ...ids.slice(5).map(allow)])
  assert.equal((await revoked).status, 200)
  for (const answer of decided) {
    if (answer.status !== 200) assertError(answer, 'UNAUTHORIZED')
    else {
      const code = new URL(answer.body.redirectTo).searchParams.get('code') ?? ''
      assertOAuthError(await redeem(service, app, code), 'INVALID_GRANT', REFUSED)
    }
  }
  assert.deepEqual(await appsOf(service, await service.signIn('hal@example.com')), [])
})

test('a sign-in that has ended consents to nothing, not even to what it was shown before [A30]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('ida@example.com')
  const { id } = await ask(service, owner, app)
  await service.call('POST /auth/sign-out', { token: owner })
  await assertNothingHappens(service, async () =>
    assertError(await decide(service, owner, { requestId: id, allow: true }), 'UNAUTHORIZED'),
  )
})

test('the id of an app is no client for `client_credentials`, whatever the secret [A18]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('jon@example.com')
  const token = await connect(service, owner, app)
  const ofKey = await tokenOf(service, await createKey(service, owner))
  const [connected] = await appsOf(service, owner)
  await assertNothingHappens(service, async () => {
    for (const client_id of [app.clientId, connected.id]) {
      for (const client_secret of [token, ofKey, `pls_${'0'.repeat(49)}`, app.codeVerifier]) {
        const fields = { grant_type: 'client_credentials', client_id, client_secret }
        assertOAuthError(await postForm(service, '/oauth/token', fields), 'INVALID_CREDENTIALS')
      }
    }
  })
})

test('there is no refresh token, and none is taken [A14]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('kim@example.com')
  const answer = await redeem(service, app, await consent(service, owner, app, { scope: 'account:read' }))
  assert.equal(answer.body.refresh_token, undefined)
  const fields = { grant_type: 'refresh_token', refresh_token: answer.body.access_token, client_id: app.clientId }
  assertOAuthError(await postForm(service, '/oauth/token', fields), 'UNSUPPORTED_GRANT_TYPE')
})
