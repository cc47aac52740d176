import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertError } from '../../../support/http/answers.ts'
import { createKey, exchange } from '../../../support/accounts/keys.ts'
import { from, productionLimits } from '../../../support/http/limits.ts'
import { startService } from '../../../support/service.ts'

const ROUTE = 'POST /auth/api-keys/leaked'

test('reports are limited per client: a refused one gets Retry-After, and other clients can still report', async () => {
  const limited = await startService({ ...productionLimits, RATE_LIMIT_LEAK_REPORTS: '2/15m' })
  try {
    const key = await createKey(limited, await limited.signIn('ana@example.com'))
    const send = (address: string, keySecret: string) =>
      limited.call(ROUTE, { body: { secrets: [{ keySecret }] }, headers: from(address) })
    for (const secret of ['x', 'y']) assert.equal((await send('203.0.113.1', secret)).status, 200)
    const refused = await send('203.0.113.1', key.keySecret)
    assertError(refused, 'RATE_LIMITED')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await exchange(limited, key)).status, 200)
    assert.equal((await send('203.0.113.2', key.keySecret)).status, 200)
    assertError(await exchange(limited, key), 'INVALID_CREDENTIALS')
  } finally {
    await limited.close()
  }
})
