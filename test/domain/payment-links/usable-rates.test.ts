import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { findUsableRates } from '../../../src/domain/payment-links/usable-rates.ts'
import { sampleRates } from '../../../src/dev/sample-rates.ts'
import { manualClock } from '../../support/clock.ts'
import { openNewDatabase } from '../../support/database/database.ts'
import type { OpenedDatabase } from '../../support/database/database.ts'
import { holdRates } from '../../support/accounts/payment-links.ts'

let database: OpenedDatabase
beforeEach(async () => {
  database = await openNewDatabase()
})
afterEach(() => database.close())

const find = (now: string, samples = {}, amounts = [{ currency: 'RON' }]) =>
  findUsableRates({ clock: manualClock(Date.parse(now)), sampleRates: samples }, database.db, amounts, 'EUR')

test('a rate is used until it is seven days old, and then never', async () => {
  await holdRates(database.db, '2026-11-01', { EUR: '4', GBP: '5' })
  await holdRates(database.db, '2026-11-20', { EUR: '4.9770' })
  const rate = { EUR: { ronPerUnit: '4.9770', date: '2026-11-20' } }
  for (const now of ['2026-11-19T23:30:00Z', '2026-11-20T12:00:00Z', '2026-11-27T23:59:59.999Z'])
    assert.deepEqual(await find(now), rate, now)
  for (const now of ['2026-11-28T00:00:00Z', '2027-11-20T00:00:00Z']) assert.deepEqual(await find(now), {}, now)
})

test('sample rates stand in for each rate that is missing or too old, marked as such', async () => {
  await holdRates(database.db, '2026-11-20', { EUR: '4.9770' })
  const { EUR, GBP } = await find('2026-11-21T00:00:00Z', sampleRates)
  assert.deepEqual([EUR?.ronPerUnit, EUR?.isSample, GBP], ['4.9770', undefined, sampleRates.GBP])
  const later = await find('2026-11-28T00:00:00Z', sampleRates)
  assert.deepEqual(later, sampleRates)
  for (const rate of Object.values(later)) assert.ok(rate?.isSample && rate.date)
})

test('amounts that are all in the currency need no rates', async () => {
  assert.deepEqual(await find('2026-11-21T00:00:00Z', sampleRates, [{ currency: 'EUR' }, { currency: 'EUR' }]), {})
  assert.deepEqual(await find('2026-11-21T00:00:00Z', sampleRates, []), {})
})
