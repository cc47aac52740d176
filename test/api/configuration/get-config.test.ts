import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { assertError, assertUncacheable } from '../../support/http/answers.ts'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'
import { assertNothingHappens } from '../../support/database/state.ts'

const ROUTE = 'GET /auth/config'
let service: Service

before(async () => {
  service = await startService()
})
after(() => service.close())

test('the response is exactly { google: null, signup: "open" } for everyone, and is not cached', async () => {
  const answer = await service.call(ROUTE)
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '{"google":null,"signup":"open"}')
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
  assertUncacheable(answer)
})

test('the response has signup: "closed" when signup is closed, and no other difference', async (t) => {
  const closed = await startService({ SIGNUP: 'closed' })
  t.after(() => closed.close())
  const answer = await closed.call(ROUTE)
  assert.equal(answer.status, 200)
  assert.equal(answer.text, '{"google":null,"signup":"closed"}')
  assertUncacheable(answer)
})

test('the response does not depend on a token, currency, origin or query', async () => {
  const calls = [
    { token: 'forged' },
    { token: await service.signIn('config@example.com') },
    { headers: { 'x-currency': 'USD' } },
    { headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
  ]
  for (const call of calls) {
    const answer = await assertNothingHappens(service, () => service.call(`${ROUTE}?signup=closed`, call))
    assert.equal(answer.status, 200, JSON.stringify(call))
    assert.deepEqual(answer.body, { google: null, signup: 'open' })
  }
})

test('every other method is refused', async () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    assertError(await service.call(`${method} /auth/config`, { body: { signup: 'closed' } }), 'METHOD_NOT_ALLOWED')
  }
  assert.equal((await service.call(ROUTE)).body.signup, 'open')
})
