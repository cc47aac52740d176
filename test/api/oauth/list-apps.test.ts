/** `GET /auth/apps`: the person sees every app that has access, and an app sees none. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { appsOf, connect, startApp } from '../../support/accounts/apps.ts'
import { createKey, tokenOf } from '../../support/accounts/keys.ts'
import { assertNothingHappens } from '../../support/database/state.ts'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('names the domain, the claimed name, what the app may do, and its last use; newest first', async (t) => {
  const app = await startApp(t)
  const nameless = await startApp(t, { client_name: 'a\u202eb' })
  const token = await service.signIn('ana@example.com')
  const ofApp = await connect(service, token, app, { restrictions: { maxAmount: { EUR: 500 } } })
  service.clock.advance(1000)
  await connect(service, token, nameless, { resource: `${service.baseUrl}/mcp` })
  await service.call('GET /users/me', { token: ofApp })
  await service.deps.keyUse.flush()
  const answer = await assertNothingHappens(service, () => service.call('GET /auth/apps', { token }))
  assertUncacheable(answer)
  const [second, first] = answer.body.apps
  const { host } = new URL(app.clientId)
  const { id, createdAt, lastUsedAt, expiresAt, ...rest } = first
  assert.deepEqual(rest, {
    clientId: app.clientId,
    domain: host,
    name: 'Lunch bot',
    resource: service.baseUrl,
    restrictions: { scopes: ['account:read', 'payment_links:read'], maxAmount: { EUR: 500 } },
  })
  assert.equal(typeof id, 'string')
  assert.equal(lastUsedAt, new Date(service.clock.now()).toISOString())
  assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 7 * 24 * 3600 * 1000)
  assert.equal(second.name, second.domain, 'a name that reorders the text around it is not shown')
  assert.equal(second.resource, `${service.baseUrl}/mcp`)
})

test('lists neither apps whose tokens are revoked, nor those of others', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('bob@example.com')
  await connect(service, token, app)
  assert.deepEqual(await appsOf(service, await service.signIn('cia@example.com')), [])
  await service.call('POST /auth/tokens/revoke', { token })
  assert.deepEqual(await appsOf(service, await service.signIn('bob@example.com')), [])
})

test('takes a person', async (t) => {
  const app = await startApp(t)
  const token = await service.signIn('dan@example.com')
  const ofApp = await connect(service, token, app)
  assertError(await service.call('GET /auth/apps', { token: ofApp }), 'SIGN_IN_REQUIRED')
  const ofKey = await tokenOf(service, await createKey(service, token))
  assertError(await service.call('GET /auth/apps', { token: ofKey }), 'SIGN_IN_REQUIRED')
  assertError(await service.call('GET /auth/apps'), 'UNAUTHORIZED')
})
