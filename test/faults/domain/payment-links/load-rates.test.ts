/** A bank that answers without an end, or a database that takes nothing: held rates stay, and new ones come when both are well. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { bankOf, OLD } from '../../../support/accounts/bank.ts'
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

test('an answer without an end is given up, by its time or its length, and rates come as soon as the bank is well again', async (t) => {
  let isWell = false
  let sent = 0
  const { bank } = await ask(t, (_, response) => {
    if (isWell || sent > 0) {
      if (isWell) response.end(right())
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
  await until(() => refusals().length >= 2, 'both are given up')
  assert.ok(sent < 1000, `${sent} pieces were taken`)
  assert.deepEqual(await held(), OLD)
  assert.equal((await service.call('GET /auth/config')).status, 200)
  isWell = true
  await until(async () => (await held()).length === 4, 'it is well again')
  assert.ok(bank.requests.length >= 3)
})

test('a database that takes nothing keeps what it has, and the rates come when it does again', async (t) => {
  await service.db.kysely.schema.alterTable('exchange_rates').renameTo('exchange_rates_away').execute()
  try {
    await ask(t, (_, response) => response.end(right()))
    await until(() => refusals().length > 0, 'it is logged')
  } finally {
    await service.db.kysely.schema.alterTable('exchange_rates_away').renameTo('exchange_rates').execute()
  }
  await until(async () => (await held()).length === 4, 'they come')
})
