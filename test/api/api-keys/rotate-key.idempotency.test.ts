/** `Idempotency-Key` on rotation: a repeat rotates nothing, and never shows the secret again. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertDocumented } from '../../support/documented.ts'
import { assertError } from '../../support/http/answers.ts'
import { createKey, exchange, exchangesOf } from '../../support/accounts/keys.ts'
import type { NewKey } from '../../support/accounts/keys.ts'
import { runInLockstep } from '../../support/wire/lockstep.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens, databaseContent } from '../../support/database/state.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

const rotate = (token: string, { apiKey }: NewKey, idempotencyKey: string, body: object = { graceSeconds: 60 }) =>
  service.call(`POST /auth/api-keys/${apiKey.id}/rotate`, {
    token,
    body,
    headers: { 'idempotency-key': idempotencyKey },
  })

test('a repeat gets 409, which names the key and how to get a secret, and the first new secret keeps working', async () => {
  const token = await service.signIn('ana@example.com')
  const key = await createKey(service, token, { name: 'Billing server' })
  const first = await rotate(token, key, 'r-1')
  assert.equal(first.status, 200, first.text)
  await assertNothingHappens(service, async () => {
    const again = await rotate(token, key, 'r-1')
    assertDocumented(`POST /auth/api-keys/${key.apiKey.id}/rotate`, again)
    assertError(again, 'ALREADY_CREATED', /has already rotated the API key "Billing server"/)
    const { message } = again.body.error
    for (const part of [key.apiKey.keyId, `POST /auth/api-keys/${key.apiKey.id}/rotate`])
      assert.ok(message.includes(part), message)
    assert.ok(!again.text.includes(first.body.keySecret.slice(4)))
  })
  assert.deepEqual(await exchangesOf(service, [key, first.body]), ['works', 'works'], 'the grace period still runs')
  const second = await rotate(token, key, 'r-2')
  assert.equal((await exchange(service, second.body)).status, 200)
  const stored = JSON.stringify((await databaseContent(service.db)).keptAnswers)
  for (const secret of ['pls_', 'secret', 'r-1']) assert.ok(!stored.includes(secret), stored)
})

test('another key or grace period with the same Idempotency-Key is a conflict', async () => {
  const token = await service.signIn('bob@example.com')
  const [key, other] = [await createKey(service, token), await createKey(service, token)]
  await rotate(token, key, 'r')
  await assertNothingHappens(service, async () => {
    assertError(await rotate(token, other, 'r'), 'IDEMPOTENCY_CONFLICT')
    assertError(await rotate(token, key, 'r', {}), 'IDEMPOTENCY_CONFLICT')
  })
})

test('of concurrent repeats exactly one rotates, and its secret works', async () => {
  const token = await service.signIn('cia@example.com')
  const key = await createKey(service, token)
  const answers = await runInLockstep(service, 12, () => rotate(token, key, 'r'))
  const done = answers.filter(({ status }) => status === 200)
  assert.equal(done.length, 1)
  for (const answer of answers.filter(({ status }) => status !== 200)) assertError(answer, 'ALREADY_CREATED')
  assert.equal((await exchange(service, done[0]?.body)).status, 200)
})

test('a repeat after the key was revoked says that it is not active; a stranger gets only NOT_FOUND', async () => {
  const token = await service.signIn('dan@example.com')
  const key = await createKey(service, token)
  await rotate(token, key, 'r')
  const stranger = await service.signIn('eva@example.com')
  assertError(await rotate(stranger, key, 'r'), 'NOT_FOUND')
  await service.call(`POST /auth/api-keys/${key.apiKey.id}/revoke`, { token })
  assertError(await rotate(token, key, 'r'), 'ALREADY_CREATED', /not active now/)
  assertError(await rotate(token, key, 'new'), 'KEY_NOT_ACTIVE')
})
