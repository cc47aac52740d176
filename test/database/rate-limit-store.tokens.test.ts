import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { findWhenAvailable, takeToken } from '../../src/database/rate-limit-store.ts'
import { takeOf } from '../../src/lib/token-bucket.ts'
import { openNewDatabase } from '../support/database/database.ts'
import type { OpenedDatabase } from '../support/database/database.ts'

const NOW_MS = Date.UTC(2030, 0, 1)
let database: OpenedDatabase

before(async () => {
  database = await openNewDatabase()
})
after(() => database.close())

const take = (key: string, nowMs: number, needed = 1) =>
  database.db.transaction((trx) => takeToken(trx, takeOf(key, { count: 5, seconds: 5 }, nowMs, { needed })))

test('of many concurrent callers, as many as there are tokens get one; the others get the time of the next', async () => {
  const taken = await Promise.all(Array.from({ length: 12 }, () => take('burst', NOW_MS)))
  assert.deepEqual(taken.toSorted(), [...Array<number>(7).fill(NOW_MS + 1000), ...Array<undefined>(5).fill(undefined)])
  assert.equal(await take('burst', NOW_MS + 999), NOW_MS + 1000)
  assert.equal(await take('burst', NOW_MS + 1000), undefined)
  assert.equal(await take('burst', NOW_MS + 1000), NOW_MS + 2000)
})

test('a caller that needs two available tokens leaves the last one to others', async () => {
  for (let n = 0; n < 4; n += 1) assert.equal(await take('kept', NOW_MS, 2), undefined)
  assert.equal(await take('kept', NOW_MS, 2), NOW_MS + 1000)
  assert.equal(await take('kept', NOW_MS), undefined)
  assert.equal(await take('kept', NOW_MS, 2), NOW_MS + 2000)
})

test('setting the clock back by a day leaves the bucket empty at worst', async () => {
  for (let n = 0; n < 5; n += 1) await take('back', NOW_MS)
  const yesterdayMs = NOW_MS - 86_400_000
  assert.equal(await take('back', yesterdayMs), yesterdayMs + 1000)
  assert.equal(await take('back', yesterdayMs + 1000), undefined)
})

test('reading the state takes no token', async () => {
  const asked = takeOf('looked', { count: 1, seconds: 1 }, NOW_MS)
  assert.equal(await findWhenAvailable(database.db, asked), undefined)
  assert.equal(await findWhenAvailable(database.db, asked), undefined)
  assert.equal(await database.db.transaction((trx) => takeToken(trx, asked)), undefined)
  assert.equal(await findWhenAvailable(database.db, asked), NOW_MS + 1000)
})
