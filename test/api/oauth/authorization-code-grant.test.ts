/** `authorization_code`: a code works once, for one minute, for its client, redirect URI, verifier and resource. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { appsOf, connect, consent, redeem, startApp } from '../../support/accounts/apps.ts'
import { introspectingKey } from '../../support/accounts/introspecting-key.ts'
import { createKey } from '../../support/accounts/keys.ts'
import { assertNothingHappens, userOf } from '../../support/database/state.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { assertOAuthError, basicOf, postForm, postOf } from '../../support/http/oauth.ts'
import { buttonIn, pressNotMe } from '../../support/mail/buttons.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const DAY_SECONDS = 24 * 3600
const REFUSED = /^The code is unknown, used or expired/
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const stateOf = async (token: string) => (await service.call('GET /users/me', { token })).status

async function eventsOf(token: string) {
  const { body } = await service.call('GET /auth/events', { token })
  return body.events.map(({ type, detail }: { type: string; detail: string | null }) => [type, detail])
}

test('a code gives a token for seven days, with the default scopes of a request without any [A36, A38]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('ana@example.com')
  const answer = await redeem(service, app, await consent(service, owner, app))
  assert.equal(answer.status, 200, answer.text)
  assertUncacheable(answer)
  const { access_token: token, ...rest } = answer.body
  assert.deepEqual(rest, {
    token_type: 'Bearer',
    expires_in: 7 * DAY_SECONDS,
    scope: 'account:read payment_links:read',
  })
  assert.equal(await stateOf(token), 200)
  assertError(await service.call('POST /payment-links', { token, body: {} }), 'INSUFFICIENT_SCOPE')
  service.clock.advance((7 * DAY_SECONDS - 1) * 1000)
  assert.equal(await stateOf(token), 200)
  service.clock.advance(1000)
  assert.equal(await stateOf(token), 401)
})

test('a second use of a code ends the access of the app, and says so in the events [A9]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('bob@example.com')
  const code = await consent(service, owner, app)
  const { access_token: token } = (await redeem(service, app, code)).body
  assert.equal(await stateOf(token), 200)
  assertOAuthError(await redeem(service, app, code), 'INVALID_GRANT', REFUSED)
  assert.equal(await stateOf(token), 401)
  assert.deepEqual(await appsOf(service, owner), [])
  assert.deepEqual((await eventsOf(owner))[0], ['app_disconnected', 'code_reused'])
  assertOAuthError(await redeem(service, app, code), 'INVALID_GRANT', REFUSED)
  assert.equal((await eventsOf(owner)).filter(([type]: [string]) => type === 'app_disconnected').length, 1)
})

test('of twenty exchanges at the same time one gets a token, which the others end [A9]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('cia@example.com')
  const code = await consent(service, owner, app)
  const answers = await Promise.all(Array.from({ length: 20 }, () => redeem(service, app, code)))
  const won = answers.filter(({ status }) => status === 200)
  assert.equal(won.length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assertOAuthError(answer, 'INVALID_GRANT', REFUSED)
  }
  assert.equal(await stateOf(won[0]?.body.access_token), 401)
  assert.deepEqual(await appsOf(service, owner), [])
})

test('a code that is presented wrongly is spent [A8]', async (t) => {
  const app = await startApp(t)
  const other = await startApp(t)
  const owner = await service.signIn('dan@example.com')
  for (const wrong of [
    { client_id: other.clientId },
    { redirect_uri: 'http://127.0.0.1:49153/callback' },
    { code_verifier: other.codeVerifier },
    { code_verifier: 'short' },
    { resource: `${service.baseUrl}/mcp` },
  ]) {
    const code = await consent(service, owner, app)
    assertOAuthError(await redeem(service, app, code, wrong), 'INVALID_GRANT', REFUSED)
    assertOAuthError(await redeem(service, app, code), 'INVALID_GRANT', REFUSED)
    assert.deepEqual(await appsOf(service, owner), [], JSON.stringify(wrong))
  }
})

test('a malformed request, an unknown code and a client with a secret do nothing [A6, A18]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('eva@example.com')
  const key = await createKey(service, owner)
  const code = await consent(service, owner, app)
  await assertNothingHappens(service, async () => {
    for (const missing of ['code', 'client_id', 'redirect_uri', 'code_verifier']) {
      assertOAuthError(await redeem(service, app, code, { [missing]: '' }), 'VALIDATION_FAILED', /are required/)
    }
    assertOAuthError(await redeem(service, app, 'unknown'), 'INVALID_GRANT', REFUSED)
    assertOAuthError(await redeem(service, app, code, { resource: 'https://other.example' }), 'INVALID_TARGET')
    const withSecret = { grant_type: 'authorization_code', code, ...postOf(key) }
    assertOAuthError(await postForm(service, '/oauth/token', withSecret), 'INVALID_CREDENTIALS', /no `client_secret`/)
  })
  assert.equal((await redeem(service, app, code)).status, 200)
})

test('a code expires after a minute, and leaves no app [A10]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('fay@example.com')
  const early = await consent(service, owner, app)
  service.clock.advance(59_999)
  assert.equal((await redeem(service, app, early)).status, 200)
  const late = await consent(service, owner, app)
  service.clock.advance(60_000)
  assertOAuthError(await redeem(service, app, late), 'INVALID_GRANT', REFUSED)
  assert.equal((await appsOf(service, owner)).length, 1)
})

test('what ends tokens between the consent and the exchange ends the code [A30]', async (t) => {
  const app = await startApp(t)
  const ends: Record<string, (owner: string) => Promise<unknown>> = {
    'all tokens are revoked': (token) => service.call('POST /auth/tokens/revoke', { token }),
    'the app is disconnected': async (token) => {
      const [connected] = await appsOf(service, token)
      return service.call(`POST /auth/apps/${connected.id}/revoke`, { token })
    },
    'the account is deleted': (token) => service.call('DELETE /users/me', { token }),
  }
  for (const [what, end] of Object.entries(ends)) {
    const owner = await service.signIn('gil@example.com')
    const code = await consent(service, owner, app)
    await end(owner)
    assertOAuthError(await redeem(service, app, code), 'INVALID_GRANT', REFUSED)
    if (what === 'the account is deleted') continue
    assert.deepEqual(await appsOf(service, await service.signIn('gil@example.com')), [], what)
  }
})

test('the token of an app is for the resource that it asked for [A16]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('hal@example.com')
  const ofMcp = await connect(service, owner, app, { resource: `${service.baseUrl}/mcp` })
  assert.equal(await stateOf(ofMcp), 401)
  const ofApi = await connect(service, owner, app, { resource: service.baseUrl })
  assert.equal(await stateOf(ofApi), 200)
})

test('"this was not me" on the mail about an app ends its access', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('ida@example.com')
  const token = await connect(service, owner, app)
  const mail = await service.smtp.mailTo('ida@example.com', undefined, new URL(app.clientId).host)
  await pressNotMe(service, buttonIn(mail, 'not-me'))
  assert.equal(await stateOf(token), 401)
  assert.deepEqual(await appsOf(service, await service.signIn('ida@example.com')), [])
})

test('the app can give its access back, by its own client id only [A41, A42]', async (t) => {
  const app = await startApp(t)
  const other = await startApp(t)
  const owner = await service.signIn('jon@example.com')
  const token = await connect(service, owner, app)
  const revoke = (clientId: string) => postForm(service, '/oauth/revoke', { token, client_id: clientId })
  assertOAuthError(await revoke(other.clientId), 'INVALID_GRANT')
  assert.equal(await stateOf(token), 200)
  assert.equal((await revoke(app.clientId)).status, 200)
  assert.equal(await stateOf(token), 401)
  assert.deepEqual((await eventsOf(owner))[0], ['app_disconnected', null])
})

test('introspection names the app by its client id [A25]', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('kim@example.com')
  const token = await connect(service, owner, app, { resource: `${service.baseUrl}/mcp` })
  const asker = await introspectingKey(service, 'lia@example.com')
  const { body } = await postForm(service, '/oauth/introspect', { token }, basicOf(asker))
  const { active, client_id: clientId, sub, aud, scope } = body
  assert.deepEqual(
    [active, clientId, sub, aud, scope],
    [
      true,
      app.clientId,
      (await userOf(service.db, 'kim@example.com')).id,
      `${service.baseUrl}/mcp`,
      'account:read payment_links:read',
    ],
  )
})
