/** `GET /users/me/export` in the counts of production: each user's exports are few an hour, and nobody's count is another's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../support/answers.ts'
import { assertDocumented } from '../../support/documented.ts'
import { productionLimits } from '../../support/limits.ts'
import { startService } from '../../support/service.ts'

const ROUTE = 'GET /users/me/export'

test('ten exports an hour are answered for each user; the next is refused and is an event of the account', async () => {
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
