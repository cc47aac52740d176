/** What processes count together leaves nothing behind: counts that are over go, and those that are not stay. */
import '../support/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countTogether, deleteExpiredWindows, deleteFullBuckets, emptyBucket } from '../../src/db/rate-limit-store.ts'
import { clusterUrl, openNewDatabase } from '../support/database.ts'
import type { OpenedDatabase } from '../support/database.ts'

let database: OpenedDatabase
before(async () => void (database = await openNewDatabase()))
after(() => database.close())

const windowsLeft = async () =>
  (await database.db.selectFrom('rate_limit_windows').select('key').orderBy('key').execute()).map(({ key }) => key)
const bucketsLeft = async () => {
  const buckets = await database.db.selectFrom('rate_limit_buckets').selectAll().orderBy('key').execute()
  return buckets.map(({ key, full_at_ms }) => [key, full_at_ms])
}

test('windows that are over are swept; others stay', async () => {
  const { db } = database
  const windows = [3, 5, 7].map((expire) => ({ key: `until-${expire}`, points: 1, expire }))
  await db.insertInto('rate_limit_windows').values(windows).execute()
  assert.equal(await deleteExpiredWindows(db, 6, 1), 1)
  assert.deepEqual(await windowsLeft(), ['until-5', 'until-7'])
  assert.equal(await deleteExpiredWindows(db, 6, 100), 1)
  assert.equal(await deleteExpiredWindows(db, 6, 100), 0)
  assert.deepEqual(await windowsLeft(), ['until-7'])
})

test('full buckets are swept; others stay, and none is made emptier', async () => {
  const { db } = database
  const buckets = [400, 500, 900].map((full_at_ms) => ({ key: `full-${full_at_ms}`, full_at_ms }))
  await db.insertInto('rate_limit_buckets').values(buckets).execute()
  await emptyBucket(db, 'full-900', 800)
  await emptyBucket(db, 'full-500', 600)
  assert.equal(await deleteFullBuckets(db, 500, 1), 1)
  assert.equal(await deleteFullBuckets(db, 500, 100), 1)
  assert.deepEqual(await bucketsLeft(), [['full-900', 800]])
})

test('what is counted after its row was swept begins anew', {
  skip: clusterUrl === undefined && 'the embedded database counts in memory',
}, async () => {
  const { db } = database
  const nowMs = 1_000_000
  const window = { key: 'swept', most: 1, windowMs: 1000, blockMs: 0 }
  const bucket = { key: 'swept', refillMs: 1000, longestMs: 1000, nowMs }
  const count = () => countTogether(db, { windows: [window], nowMs, bucket })
  const counted = {
    windows: [{ isCounted: true, points: 1, expireMs: nowMs + 1000 }],
    bucket: { isTaken: true, fullAtMs: nowMs + 1000 },
  }
  assert.deepEqual(await count(), counted)
  assert.deepEqual(await count(), {
    windows: [{ isCounted: false, points: 1, expireMs: nowMs + 1000 }],
    bucket: { isTaken: false, fullAtMs: nowMs + 1000 },
  })
  await deleteExpiredWindows(db, nowMs + 1000, 100)
  await deleteFullBuckets(db, nowMs + 1000, 100)
  assert.deepEqual([await windowsLeft(), await bucketsLeft()], [[], []])
  assert.deepEqual(await count(), counted)
})
