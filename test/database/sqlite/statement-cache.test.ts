/** Statements are prepared once: preparing one takes ten times as long as running it. */
import assert from 'node:assert/strict'
import { StatementSync } from 'node:sqlite'
import { after, before, mock, test } from 'node:test'
import { startService } from '../../support/service.ts'
import type { Service } from '../../support/service.ts'

type Counted = StatementSync & { stat(counter: 'reprepare'): number }

const used = new Map<Counted, number>()
let service: Service

before(async () => {
  for (const method of ['all', 'run'] as const) {
    const original = StatementSync.prototype[method] as (...parameters: unknown[]) => unknown
    mock.method(StatementSync.prototype, method, function (this: Counted, ...parameters: unknown[]) {
      used.set(this, (used.get(this) ?? 0) + 1)
      return original.apply(this, parameters)
    })
  }
  service = await startService()
})
after(async () => {
  await service.close()
  mock.reset()
})

test('no statement of an endpoint or of the mail queue is prepared again', async () => {
  used.clear()
  for (const name of ['ana', 'bea', 'cia']) {
    const { token, apiKey, keySecret } = await service.signUp(`${name}@example.com`)
    const { keyId } = apiKey
    await service.call('POST /auth/api/token', { body: { keyId, keySecret } })
    await service.call('GET /auth/api-keys', { token })
    const person = await service.signIn(`${name}@example.com`)
    await service.call('GET /auth/sessions', { token: person })
    await service.call('POST /payment-links', { token: person, body: { amount: 1050, title: 'Lunch' } })
    await service.call('GET /payment-links?limit=1', { token: person })
    await service.call('GET /auth/events', { token: person })
  }
  const again = [...used].filter(([statement, times]) => times > 1 && statement.stat('reprepare') > 0)
  assert.deepEqual(
    again.map(([{ sourceSQL }]) => sourceSQL),
    [],
  )
  assert.ok([...used].filter(([{ sourceSQL }, times]) => times > 1 && sourceSQL.includes(' limit ')).length >= 5)
})
