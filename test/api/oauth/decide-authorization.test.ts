/** `POST /oauth/authorize/decide`: a recent sign-in decides once, and the app gets at most what it asked for. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { appsOf, ask, connect, consent, decide, inspect, redeem, startApp } from '../../support/accounts/apps.ts'
import { createKey, tokenOf } from '../../support/accounts/keys.ts'
import { assertNothingHappens, userOf } from '../../support/database/state.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { oneTap, startGoogleService } from '../../support/google/google.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

const MINUTE_MS = 60_000
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('a consent answers with a code, the state and the issuer, and notifies the owner with the domain [A4, A11]', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('ana@example.com')
  const { id } = await ask(service, token, app)
  const answer = await decide(service, token, { requestId: id, allow: true })
  assert.equal(answer.status, 200, answer.text)
  assertUncacheable(answer)
  assert.deepEqual(Object.keys(answer.body), ['redirectTo'])
  const { searchParams, origin, pathname } = new URL(answer.body.redirectTo)
  assert.equal(origin + pathname, app.redirectUri)
  assert.deepEqual([...searchParams.keys()], ['code', 'state', 'iss'])
  assert.equal(searchParams.get('state'), 'some state')
  assert.equal(searchParams.get('iss'), service.origin)
  assert.match(searchParams.get('code') ?? '', /^[\w-]{43}$/)
  const mail = await service.smtp.mailTo('ana@example.com', undefined, new URL(app.clientId).host)
  assert.match(mail.message.subject ?? '', /^Apps and API keys/)
  // What the client calls itself is not the service's to say.
  assert.doesNotMatch(mail.raw, /Lunch bot/)
  const stored = await service.db.query.selectFrom('authorization_requests').selectAll().execute()
  assert.ok(!JSON.stringify(stored).includes(searchParams.get('code') ?? ''), 'only a hash of the code is stored')
})

test('a request is decided once: of ten clicks at the same time one gets a code [A65]', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('bob@example.com')
  const { id } = await ask(service, token, app)
  const clicks = Array.from({ length: 10 }, () => decide(service, token, { requestId: id, allow: true }))
  const answers = await Promise.all(clicks)
  assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200)) assertError(answer, 'CONSENT_ENDED')
  assert.equal((await appsOf(service, token)).length, 1)
  assertError(await decide(service, token, { requestId: id, allow: false }), 'CONSENT_ENDED')
})

test('a refusal tells the app, and gives it nothing [A11]', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('cia@example.com')
  const { id } = await ask(service, token, app)
  const answer = await decide(service, token, { requestId: id, allow: false })
  const { searchParams } = new URL(answer.body.redirectTo)
  assert.equal(searchParams.get('error'), 'access_denied')
  assert.equal(searchParams.get('state'), 'some state')
  assert.equal(searchParams.get('iss'), service.origin)
  assert.equal(searchParams.get('code'), null)
  assert.deepEqual(await appsOf(service, token), [])
  assertError(await decide(service, token, { requestId: id, allow: true }), 'CONSENT_ENDED')
})

test('allowing needs a sign-in of the last ten minutes; refusing does not [A64]', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('dan@example.com')
  service.clock.advance(11 * MINUTE_MS)
  const { id } = await ask(service, token, app)
  await assertNothingHappens(service, async () =>
    assertError(await decide(service, token, { requestId: id, allow: true }), 'SIGN_IN_REQUIRED'),
  )
  assert.equal((await decide(service, token, { requestId: id, allow: false })).status, 200)
})

test('a request is undecided for ten minutes, and another account cannot decide it [A64]', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('eva@example.com')
  const other = await service.signIn('eve@example.com')
  const { id } = await ask(service, token, app)
  assertError(await decide(service, other, { requestId: id, allow: true }), 'CONSENT_ENDED')
  service.clock.advance(10 * MINUTE_MS)
  const fresh = await service.signIn('eva@example.com')
  assertError(await decide(service, fresh, { requestId: id, allow: true }), 'CONSENT_ENDED')
  for (const requestId of ['unknown', '', 'a\0b', '\ud800', id.toUpperCase()])
    assertError(await decide(service, fresh, { requestId, allow: true }), 'CONSENT_ENDED')
})

test('neither a key nor an app can let an app in, and an unproven address cannot either [A64]', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('fay@example.com')
  const ofKey = await tokenOf(service, await createKey(service, token))
  const ofApp = await connect(service, token, app, { scope: 'account:read payment_links:write' })
  const { id } = await ask(service, token, app)
  const { keySecret, apiKey } = await service.signUp('gil@example.com')
  const ofUnproven = await tokenOf(service, { apiKey, keySecret })
  await assertNothingHappens(service, async () => {
    for (const path of ['inspect', 'decide']) {
      const body = path === 'inspect' ? { query: app.query() } : { requestId: id, allow: true }
      const call = (one: string) => service.call(`POST /oauth/authorize/${path}`, { token: one, body })
      assertError(await call(ofKey), 'SIGN_IN_REQUIRED')
      assertError(await call(ofUnproven), 'SIGN_IN_REQUIRED')
      assertError(await call(ofApp), 'INSUFFICIENT_SCOPE', /account:write/)
    }
    const refusal = { requestId: id, allow: false }
    assertError(await decide(service, ofKey, refusal), 'SIGN_IN_REQUIRED')
  })
})

test('a Google account that does not prove the address lets no app in, and makes nothing be fetched [A60, A64]', async (t) => {
  const google = await startGoogleService()
  t.after(() => google.close())
  const app = await startApp(t)
  const { token } = (await oneTap(google, { sub: 'thief', email: 'owner@company.example' })).body
  await assertNothingHappens(google, async () => {
    assertError(await inspect(google, token, app.query()), 'SIGN_IN_REQUIRED', /not proven/)
    assertError(await decide(google, token, { requestId: 'x', allow: true }), 'SIGN_IN_REQUIRED', /not proven/)
  })
  assert.deepEqual(app.requests, [])
})

test('the person narrows scopes, amounts and currencies; more than the app asks for is refused [A15, A38]', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('hal@example.com')
  const { id } = await ask(service, token, app, { scope: 'payment_links:read payment_links:write' })
  const wide = { requestId: id, allow: true, restrictions: { scopes: ['account:read'] } }
  assertError(await decide(service, token, wide), 'VALIDATION_FAILED', /scopes that the app asks for/)
  const restrictions = { scopes: ['payment_links:write'], currencies: ['EUR'], maxAmount: { EUR: 500 } }
  const answer = await decide(service, token, { requestId: id, allow: true, restrictions })
  const code = new URL(answer.body.redirectTo).searchParams.get('code') ?? ''
  const redeemed = await redeem(service, app, code)
  assert.equal(redeemed.body.scope, 'payment_links:write')
  const create = (amount: number, currency: string) => {
    const call = { token: redeemed.body.access_token, body: { amount, title: 'Lunch' } }
    return service.call('POST /payment-links', { ...call, headers: { 'x-currency': currency } })
  }
  assert.equal((await create(500, 'EUR')).status, 201)
  assertError(await create(501, 'EUR'), 'AMOUNT_NOT_ALLOWED')
  assertError(await create(100, 'RON'), 'AMOUNT_NOT_ALLOWED')
})

test('an account has at most fifty apps, beside its keys', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('ida@example.com')
  for (let n = 0; n < 50; n += 1) await connect(service, token, app)
  const { id } = await ask(service, token, app)
  assertError(await decide(service, token, { requestId: id, allow: true }), 'APP_LIMIT_REACHED')
  for (let n = 0; n < 25; n += 1) await createKey(service, token)
  assertError(await service.call('POST /auth/api-keys', { token, body: {} }), 'KEY_LIMIT_REACHED')
  const [first] = await appsOf(service, token)
  await service.call(`POST /auth/apps/${first.id}/revoke`, { token })
  assert.equal((await decide(service, token, { requestId: id, allow: true })).status, 200)
})

test('the row of an app has no usable secret, and keys list, rotate, rename and report nothing of it', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('jon@example.com')
  await consent(service, token, app)
  const user = await userOf(service.db, 'jon@example.com')
  const row = await service.db.query
    .selectFrom('api_keys')
    .selectAll()
    .where('user_id', '=', user.id)
    .executeTakeFirstOrThrow()
  assert.equal(row.kind, 'app')
  assert.match(row.key_id, /^app_\w{22}$/)
  const { body } = await service.call('GET /auth/api-keys', { token })
  assert.deepEqual(body.apiKeys, [])
  for (const [method, act] of [
    ['POST', '/rotate'],
    ['POST', '/keep'],
    ['POST', '/revoke'],
    ['PATCH', ''],
    ['GET', '/uses'],
    ['GET', '/descendants'],
  ]) {
    const call = method === 'GET' ? { token } : { token, body: {} }
    assertError(await service.call(`${method} /auth/api-keys/${row.id}${act}`, call), 'NOT_FOUND')
  }
  const exchanged = await service.call('POST /auth/api/token', {
    body: { keyId: row.key_id, keySecret: `pls_${'0'.repeat(49)}` },
  })
  assertError(exchanged, 'INVALID_CREDENTIALS')
})
