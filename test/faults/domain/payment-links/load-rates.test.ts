import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { bankOf, OLD_RATES } from '../../../support/accounts/bank.ts'
import { startService } from '../../../support/service.ts'
import type { Service } from '../../../support/service.ts'
import { until } from '../../../support/until.ts'

let service: Service
before(async () => {
  service = await startService({ LOG_LEVEL: 'info' })
})
after(() => service.close())

const { right, held, holdOld, refusals, ask } = bankOf(() => service)
beforeEach(holdOld)

test('an endless answer is abandoned by time or size, and rates arrive once the bank works again', async (t) => {
  let isWorking = false
  let sent = 0
  const { bank } = await ask(t, (_, response) => {
    if (isWorking || sent > 0) {
      if (isWorking) response.end(right())
      else response.write('<?xml version="1.0"?><DataSet>')
      return
    }
    const more = () => {
      sent += 1
      if (!response.destroyed) response.write(' '.repeat(16_384), () => setImmediate(more))
    }
    response.on('error', () => {})
    more()
  })
  await until(() => refusals().length >= 2, 'both are abandoned')
  assert.ok(sent < 1000, `${sent} chunks were read`)
  assert.deepEqual(await held(), OLD_RATES)
  assert.equal((await service.call('GET /auth/config')).status, 200)
  isWorking = true
  await until(async () => (await held()).length === 4, 'the new rates arrive')
  assert.ok(bank.requests.length >= 3)
})

test('a database that refuses writes keeps its rates, and new ones arrive once it accepts writes', async (t) => {
  await service.db.kysely.schema.alterTable('exchange_rates').renameTo('exchange_rates_away').execute()
  try {
    await ask(t, (_, response) => response.end(right()))
    await until(() => refusals().length > 0, 'the failure is logged')
  } finally {
    await service.db.kysely.schema.alterTable('exchange_rates_away').renameTo('exchange_rates').execute()
  }
  await until(async () => (await held()).length === 4, 'the new rates arrive')
})
