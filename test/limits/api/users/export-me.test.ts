import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { assertDocumented } from '../../../support/documented.ts'
import { createKey } from '../../../support/accounts/keys.ts'
import { productionLimits } from '../../../support/http/limits.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'

const ROUTE = 'GET /users/me/export'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('each user gets ten exports an hour; the next is refused and recorded as an event', async () => {
  const limited = await startService(productionLimits)
  try {
    const token = await limited.signIn('ana@example.com')
    const other = await limited.signIn('bob@example.com')
    for (let n = 0; n < 10; n += 1) assert.equal((await limited.call(ROUTE, { token })).status, 200)
    const refused = await limited.call(ROUTE, { token })
    assertError(refused, 'RATE_LIMITED')
    assertDocumented(ROUTE, refused)
    assert.equal((await limited.call(ROUTE, { token: other })).status, 200)
    await limited.deps.failureLog.flush()
    const { body } = await limited.call('GET /auth/events', { token })
    assert.deepEqual([body.events[0].type, body.events[0].detail], ['limit_hit', 'export'])
  } finally {
    await limited.close()
  }
})

test('exports of a squatter or of an ended sign-in do not count against the owner', async () => {
  const limited = await startService({
    ...productionLimits,
    RATE_LIMIT_EXPORT: '2/1h',
    RATE_LIMIT_REQUEST_REPEAT: '9/30s',
  })
  try {
    const email = 'cia@example.com'
    const states = async (token: string) => {
      const answers = [
        await limited.call(ROUTE, { token }),
        await limited.call(ROUTE, { token }),
        await limited.call(ROUTE, { token }),
      ]
      return answers.map(({ status }) => status)
    }
    const { token: squatter } = await limited.signUp(email)
    assert.deepEqual(await states(squatter), [200, 200, 429])
    const owner = await limited.signIn(email)
    assert.deepEqual(await states(owner), [200, 200, 429])
    assert.deepEqual(await states(await limited.signIn(email)), [429, 429, 429], 'sign-ins share a count')
    await limited.call('POST /auth/tokens/revoke', { token: owner })
    assert.deepEqual(await states(await limited.signIn(email)), [200, 200, 429])
  } finally {
    await limited.close()
  }
})

test('an export includes revoked keys beyond the list’s limit and events beyond one page', async () => {
  const token = await service.signIn('fay@example.com')
  const makeAndRevoke = async () => {
    const { apiKey } = await createKey(service, token)
    await service.call(`POST /auth/api-keys/${apiKey.id}/revoke`, { token })
  }
  for (let n = 0; n < 6; n += 1) await Promise.all(Array.from({ length: 17 }, makeAndRevoke))
  const { body } = await service.call(ROUTE, { token })
  assert.equal(body.apiKeys.length, 102)
  assert.equal(body.events.length, 3 + 204)
  assert.equal(new Set(body.events.map(({ id }: { id: string }) => id)).size, 207)
})
