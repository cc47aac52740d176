/** Counts that processes share: each is taken once, by whoever comes first, on either database. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  deleteExpiredWindows,
  deleteFullBuckets,
  emptyBucket,
  findBucket,
  sharedCounts,
  takeFromBucket,
} from '../../src/db/rate-limit-store.ts'
import { createRateLimits } from '../../src/http/rate-limits.ts'
import { createSharedTokenBucket } from '../../src/http/shared-token-bucket.ts'
import { createTokenBucket } from '../../src/http/token-bucket.ts'
import { systemClock } from '../../src/lib/clock.ts'
import { loadConfig } from '../../src/load-config.ts'
import { manualClock } from '../support/clock.ts'
import { clusterUrl, openAt, openNewDatabase } from '../support/database.ts'
import type { OpenedDatabase } from '../support/database.ts'

const RATE = { count: 5, seconds: 1500 }
const REFILL_MS = 300_000
const LONGEST_MS = 5 * REFILL_MS

describe('shared counts', () => {
  let database: OpenedDatabase
  before(async () => void (database = await openNewDatabase()))
  after(() => database.close())

  const taking = (key: string, nowMs: number) =>
    takeFromBucket(database.db, key, { nowMs, refillMs: REFILL_MS, longestMs: LONGEST_MS })

  test('of a bucket that many take from at once, only what was in it is taken', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => taking('burst', 1000)))
    const times = taken.filter((fullAtMs) => fullAtMs !== undefined)
    assert.deepEqual(times.toSorted((a, b) => a - b), [1, 2, 3, 4, 5].map((n) => 1000 + n * REFILL_MS))
    assert.equal(await findBucket(database.db, 'burst'), 1000 + LONGEST_MS)
  })

  test('a shared bucket says what one in memory says, whatever is done and whenever', async () => {
    const clock = manualClock()
    const inMemory = createTokenBucket(RATE, clock)
    const shared = createSharedTokenBucket(RATE, clock, sharedCounts(database.db).buckets)
    for (const waitMs of [0, 0, 0, 0, 0, 0, 1, 299_999, 0, 600_000, 0, 0, 0, 1_500_000, 5000, 0, -900_000, 0, 300_000, 0]) {
      clock.advance(waitMs)
      assert.deepEqual(await shared.look('same'), inMemory.look('same'), `look after ${waitMs}`)
      assert.deepEqual(await shared.take('same'), inMemory.take('same'), `take after ${waitMs}`)
    }
  })

  test('while the database is away, a shared bucket counts in memory: nobody is refused for it, and not everybody let in', async () => {
    const gone = async () => Promise.reject(new Error('away'))
    const shared = createSharedTokenBucket(RATE, manualClock(), { find: gone, take: gone, empty: gone })
    const answers: boolean[] = []
    for (let n = 0; n < 6; n += 1) answers.push((await shared.take('away')).isAllowed)
    assert.deepEqual(answers, [true, true, true, true, true, false])
  })

  test('full buckets and windows that are over are swept; others stay', async () => {
    const { db } = database
    await emptyBucket(db, 'burst', 500)
    await taking('fresh', 1_000_000)
    assert.equal(await deleteFullBuckets(db, 1_000_000, 1), 1)
    while ((await deleteFullBuckets(db, 1_000_000, 100)) > 0);
    assert.equal(await findBucket(db, 'burst'), undefined)
    assert.equal(await findBucket(db, 'fresh'), 1_000_000 + REFILL_MS)
    const windows = [{ key: 'over', points: 1, expire: 5 }, { key: 'open', points: 1, expire: 7 }]
    await db.insertInto('rate_limit_windows').values(windows).execute()
    assert.equal(await deleteExpiredWindows(db, 6, 100), 1)
    const left = await db.selectFrom('rate_limit_windows').select('key').execute()
    assert.deepEqual(left.map(({ key }) => key), ['open'])
  })

  test('two processes count together: what one has used up the other refuses', {
    skip: clusterUrl === undefined && 'processes share counts on PostgreSQL only',
  }, async () => {
    const config = loadConfig({ RATE_LIMIT_SIGNUP_HOUR: '3/1h', RATE_LIMIT_REQUEST_ADDRESS: '2/1h' }, () => 'an-other-test-secret-of-thirty-two-bytes')
    const other = openAt(database.url)
    const [one, two] = [database.db, other].map((db) => createRateLimits(config, systemClock, sharedCounts(db)))
    const reply = { header: () => reply } as never
    try {
      await one?.count(reply, ['signup-hour', '203.0.113.1'], ['request-address', 'ana@example.com'])
      await two?.count(reply, ['signup-hour', '203.0.113.1'], ['request-address', 'ana@example.com'])
      await one?.count(reply, ['signup-hour', '203.0.113.1'])
      const refused = { code: 'RATE_LIMITED', limit: 'signup-hour' }
      await assert.rejects(two?.count(reply, ['signup-hour', '203.0.113.1']) ?? Promise.resolve(), refused)
      await assert.rejects(one?.count(reply, ['request-address', 'ana@example.com']) ?? Promise.resolve(), { limit: 'request-address' })
      await two?.count(reply, ['signup-hour', '203.0.113.2'])
    } finally {
      await other.destroy()
    }
  })
})
