import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRatesAgeMs } from '../../../src/domain/payment-links/rates-age.ts'
import { openNewDatabase } from '../../support/database/database.ts'
import { holdRates } from '../../support/accounts/payment-links.ts'

test('the age counts from the start of the day of the older rate, and is unknown while one is missing', async (context) => {
  const database = await openNewDatabase()
  context.after(() => database.close())
  const ageAt = (now: string) => findRatesAgeMs(database.db, Date.parse(now))
  assert.equal(await ageAt('2026-11-21T00:00:00Z'), undefined)
  await holdRates(database.db, '2026-11-20', { EUR: '4.9770' })
  assert.equal(await ageAt('2026-11-21T00:00:00Z'), undefined)
  await holdRates(database.db, '2026-11-18', { EUR: '4', GBP: '5' })
  assert.equal(await ageAt('2026-11-21T00:00:00Z'), 3 * 86_400_000)
  assert.equal(await ageAt('2026-11-17T23:00:00Z'), 0)
})
