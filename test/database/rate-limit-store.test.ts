import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  deleteExpiredWindows,
  deleteFullBuckets,
  lowerFullAt,
  takeFromAll,
} from '../../src/database/rate-limit-store.ts'
import { takeOf } from '../../src/lib/token-bucket.ts'
import { clusterUrl, openNewDatabase } from '../support/database/database.ts'
import type { OpenedDatabase } from '../support/database/database.ts'

let database: OpenedDatabase
before(async () => void (database = await openNewDatabase()))
after(() => database.close())

const windowsLeft = async () =>
  (await database.db.query.selectFrom('rate_limit_windows').select('key').orderBy('key').execute()).map(
    ({ key }) => key,
  )
const bucketsLeft = async () => {
  const buckets = await database.db.query.selectFrom('rate_limit_buckets').selectAll().orderBy('key').execute()
  return buckets.map(({ key, full_at_ms }) => [key, full_at_ms])
}

test('expired windows are deleted; others stay', async () => {
  const { db } = database
  const windows = [3, 5, 7].map((expire) => ({ key: `until-${expire}`, points: 1, expire }))
  await db.query.insertInto('rate_limit_windows').values(windows).execute()
  assert.equal(await deleteExpiredWindows(db, 6, 1), 1)
  assert.deepEqual(await windowsLeft(), ['until-5', 'until-7'])
  assert.equal(await deleteExpiredWindows(db, 6, 100), 1)
  assert.equal(await deleteExpiredWindows(db, 6, 100), 0)
  assert.deepEqual(await windowsLeft(), ['until-7'])
})

test('full buckets are deleted; others stay, unchanged', async () => {
  const { db } = database
  const buckets = [400, 500, 900].map((full_at_ms) => ({ key: `full-${full_at_ms}`, full_at_ms }))
  await db.query.insertInto('rate_limit_buckets').values(buckets).execute()
  await lowerFullAt(db, 'full-900', 800)
  await lowerFullAt(db, 'full-500', 600)
  assert.equal(await deleteFullBuckets(db, 500, 1), 1)
  assert.equal(await deleteFullBuckets(db, 500, 100), 1)
  assert.deepEqual(await bucketsLeft(), [['full-900', 800]])
})

test(
  'a bucket whose row was deleted is full',
  {
    skip: clusterUrl === undefined && 'the embedded database counts in memory',
  },
  async () => {
    const { db } = database
    const nowMs = 1_000_000
    const takes = ['swept', 'swept too'].map((key) => takeOf(key, { count: 1, seconds: 1 }, nowMs))
    const taken = { isAllowed: true, remaining: 0, msBeforeNext: 1000 }
    assert.deepEqual(await takeFromAll(db, takes), [taken, taken])
    const refused = { ...taken, isAllowed: false }
    assert.deepEqual(await takeFromAll(db, takes), [refused, refused])
    await deleteFullBuckets(db, nowMs + 1000, 100)
    assert.deepEqual(await bucketsLeft(), [])
    assert.deepEqual(await takeFromAll(db, takes), [taken, taken])
  },
)
