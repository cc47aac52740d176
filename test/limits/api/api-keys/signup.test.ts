import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { startService } from '../../../support/service.ts'
import { databaseContent, recipientsOf } from '../../../support/database/state.ts'

const ROUTE = 'POST /auth/api/signup'

test('with production limits one network can sign up 5 times an hour, taken addresses included', async (t) => {
  const limited = await startService(productionLimits)
  t.after(() => limited.close())
  const attempt = (email: string, address: string) => limited.call(ROUTE, { body: { email }, headers: from(address) })
  for (let n = 0; n < 4; n++) {
    assert.equal((await attempt(`n${n}@example.com`, '192.0.2.1')).status, 201)
  }
  assertError(await attempt('n0@example.com', '192.0.2.1'), 'EMAIL_TAKEN')
  const refused = await attempt('n5@example.com', '192.0.2.1')
  assertError(refused, 'RATE_LIMITED')
  assert.match(refused.headers.get('retry-after') ?? '', /^720$/)
  assert.equal((await databaseContent(limited.db)).users.length, 4)
  assert.equal((await attempt('n6@example.com', '192.0.2.2')).status, 201)
  assert.equal((await recipientsOf(limited)).includes('n5@example.com'), false)
})

test('with production limits one network can sign up 20 times a day', async (t) => {
  const limited = await startService({ ...productionLimits, RATE_LIMIT_SIGNUP_HOUR: '1000/1h' })
  t.after(() => limited.close())
  const attempts = Array.from({ length: 30 }, (_, n) =>
    limited.call(ROUTE, { body: { email: `n${n}@example.com` }, headers: from('192.0.2.1') }),
  )
  const statuses = (await Promise.all(attempts)).map(({ status }) => status)
  assert.equal(statuses.filter((status) => status === 201).length, 20)
  assert.equal(statuses.filter((status) => status === 429).length, 10)
  assert.equal((await databaseContent(limited.db)).users.length, 20)
})
