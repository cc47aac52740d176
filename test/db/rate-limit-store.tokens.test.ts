/** Tokens of a bucket that every process takes from: as many as it holds, one more with each refill, and never held up by a clock. */
import '../support/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inTransaction } from '../../src/db/db.ts'
import { findWhenFilled, takeToken } from '../../src/db/rate-limit-store.ts'
import { openNewDatabase } from '../support/database.ts'
import type { OpenedDatabase } from '../support/database.ts'

const NOW_MS = Date.UTC(2030, 0, 1)
let database: OpenedDatabase

before(async () => {
  database = await openNewDatabase()
})
after(() => database.close())

const take = (key: string, nowMs: number, needed = 1) =>
  inTransaction(database.db, (trx) => takeToken(trx, { key, capacity: 5, refillMs: 1000, needed, nowMs }))

test('of many at once as many get one as there are, and the others when the next is there', async () => {
  const taken = await Promise.all(Array.from({ length: 12 }, () => take('burst', NOW_MS)))
  assert.deepEqual(taken.toSorted(), [...Array<number>(7).fill(NOW_MS + 1000), ...Array<undefined>(5).fill(undefined)])
  assert.equal(await take('burst', NOW_MS + 999), NOW_MS + 1000)
  assert.equal(await take('burst', NOW_MS + 1000), undefined)
  assert.equal(await take('burst', NOW_MS + 1000), NOW_MS + 2000)
})

test('who needs two to be there leaves one, which others can take', async () => {
  for (let n = 0; n < 4; n += 1) assert.equal(await take('kept', NOW_MS, 2), undefined)
  assert.equal(await take('kept', NOW_MS, 2), NOW_MS + 1000)
  assert.equal(await take('kept', NOW_MS), undefined)
  assert.equal(await take('kept', NOW_MS, 2), NOW_MS + 2000)
})

test('a clock that is set back by a day empties the bucket at most', async () => {
  for (let n = 0; n < 5; n += 1) await take('back', NOW_MS)
  const yesterdayMs = NOW_MS - 86_400_000
  assert.equal(await take('back', yesterdayMs), yesterdayMs + 1000)
  assert.equal(await take('back', yesterdayMs + 1000), undefined)
})

test('looking takes none', async () => {
  const asked = { key: 'looked', capacity: 1, refillMs: 1000, needed: 1, nowMs: NOW_MS }
  assert.equal(await findWhenFilled(database.db, asked), undefined)
  assert.equal(await findWhenFilled(database.db, asked), undefined)
  assert.equal(await inTransaction(database.db, (trx) => takeToken(trx, asked)), undefined)
  assert.equal(await findWhenFilled(database.db, asked), NOW_MS + 1000)
})
