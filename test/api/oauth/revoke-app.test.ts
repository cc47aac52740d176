/** `POST /auth/apps/:id/revoke`: one call ends the access of an app. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { appsOf, connect, startApp } from '../../support/accounts/apps.ts'
import { createKey, tokenOf } from '../../support/accounts/keys.ts'
import { assertNothingHappens } from '../../support/database/state.ts'
import { assertError } from '../../support/http/answers.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

const revoke = (token: string, id: string) => service.call(`POST /auth/apps/${id}/revoke`, { token })

test('refuses the token from the answer on, and no other; idempotent', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('ana@example.com')
  const token = await connect(service, owner, app)
  const otherToken = await connect(service, owner, app)
  const [, first] = await appsOf(service, owner)
  const answer = await revoke(owner, first.id)
  assert.equal(answer.status, 200, answer.text)
  assert.equal(answer.body.app.id, first.id)
  assertError(await service.call('GET /users/me', { token }), 'UNAUTHORIZED')
  assert.equal((await service.call('GET /users/me', { token: otherToken })).status, 200)
  const [event] = (await service.call('GET /auth/events', { token: owner })).body.events
  assert.deepEqual([event.type, event.apiKeyId, event.detail], ['app_disconnected', first.id, null])
  await assertNothingHappens(service, async () => assert.equal((await revoke(owner, first.id)).status, 200))
})

test('takes a person, and an app of their own', async (t) => {
  const app = await startApp(t)
  const owner = await service.signIn('bob@example.com')
  const key = await createKey(service, owner)
  const token = await connect(service, owner, app)
  const [{ id }] = (await appsOf(service, owner)) as [{ id: string }]
  const stranger = await service.signIn('eve@example.com')
  const ofKey = await tokenOf(service, key)
  await assertNothingHappens(service, async () => {
    assertError(await revoke(stranger, id), 'NOT_FOUND')
    for (const other of ['unknown', 'a%00b', '%F0%9F%98%80']) assertError(await revoke(owner, other), 'NOT_FOUND')
    assertError(await revoke(owner, key.apiKey.id), 'NOT_FOUND')
    assertError(await revoke(ofKey, id), 'SIGN_IN_REQUIRED')
    assertError(await revoke(token, id), 'INSUFFICIENT_SCOPE')
  })
  assert.equal((await service.call('GET /users/me', { token })).status, 200)
})
