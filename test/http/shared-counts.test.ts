/** Limits that processes count together: nobody gets more by asking several at once, and a refusal costs one look. */
import '../support/on-postgres.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { inTransaction } from '../../src/db/db.ts'
import type { Db } from '../../src/db/db.ts'
import { openDatabase } from '../../src/db/open.ts'
import { countStore } from '../../src/db/rate-limit-store.ts'
import type { Limit } from '../../src/http/counts.ts'
import { createMemoryCounts } from '../../src/http/memory-counts.ts'
import { createSharedCounts } from '../../src/http/shared-counts.ts'
import { createLog } from '../../src/lib/log.ts'
import { database as locationOf } from '../../src/lib/setting-parsers.ts'
import { manualClock } from '../support/clock.ts'
import { clusterUrl, openAt, openNewDatabase, PATIENT } from '../support/database.ts'
import type { OpenedDatabase } from '../support/database.ts'
import { recorded } from '../support/query-plans.ts'
import { until } from '../support/until.ts'

const window = (name: string, count: number, blockSeconds = 0): Limit =>
  ({ name, kind: 'window', rate: { count, seconds: 60 }, blockSeconds })
// 5 per 25 minutes: one more every 5.
const bucket: Limit = { name: 'bucket', kind: 'bucket', rate: { count: 5, seconds: 1500 }, blockSeconds: 0 }
const REFILL_MS = 300_000
/** How many calls meet at the least: fewer than the two processes have connections. */
const MEETING = 4

const clock = manualClock()
const log = createLog('silent')
const countsOf = (db: Db, of = clock) =>
  createSharedCounts({ ...PATIENT, store: countStore(db), log }, of, createMemoryCounts(of))

describe('counts of several processes', {
  skip: clusterUrl === undefined && 'processes share counts on PostgreSQL only',
}, () => {
  let database: OpenedDatabase
  let other: Db
  let third: Db
  before(async () => {
    database = await openNewDatabase()
    other = openAt(database.url)
    third = openAt(database.url)
  })
  after(async () => {
    await other?.destroy()
    await third?.destroy()
    await database?.close()
  })

  /** Every row as it is, with what tells a row that was written or locked from one that was read. */
  async function rows(): Promise<unknown[]> {
    const { rows: windows } = await sql`select *, ctid::text, xmax::text from rate_limit_windows order by key`.execute(database.db)
    const { rows: buckets } = await sql`select *, ctid::text, xmax::text from rate_limit_buckets order by key`.execute(database.db)
    return [windows, buckets]
  }
  const fullAt = async (key: string) =>
    (await database.db.selectFrom('rate_limit_buckets').select('full_at_ms').where('key', '=', key).executeTakeFirst())?.full_at_ms
  const points = async (key: string) =>
    (await database.db.selectFrom('rate_limit_windows').select('points').where('key', '=', key).executeTakeFirst())?.points

  /** So many calls at once, on two processes in turn. */
  const atOnce = (count: number, uses: (n: number) => Parameters<ReturnType<typeof countsOf>['count']>[0]) => {
    const processes = [countsOf(database.db), countsOf(other)]
    return Promise.all(Array.from({ length: count }, async (_, n) => (await processes[n % 2]?.count(uses(n))) ?? []))
  }

  test('what one has used up the other refuses, of windows and of buckets', async () => {
    const [one, two] = [countsOf(database.db), countsOf(other)]
    const uses = [{ limit: window('together', 3), key: 'client' }, { limit: bucket, key: 'together' }]
    for (const counts of [one, two, one]) {
      for (const { isAllowed } of await counts.count(uses)) assert.equal(isAllowed, true)
    }
    const refused = await two.count(uses)
    assert.deepEqual(refused.map(({ isAllowed, remaining }) => [isAllowed, remaining]), [[false, 0], [true, 2]])
    assert.ok((refused[0]?.msBeforeNext ?? 0) > 50_000)
    for (const counts of [two, one]) assert.equal((await counts.count(uses.slice(1)))[0]?.isAllowed, true)
    assert.deepEqual(await one.count(uses.slice(1)), [{ isAllowed: false, remaining: 0, msBeforeNext: REFILL_MS }])
    assert.equal((await one.count([{ limit: window('together', 3), key: 'other' }]))[0]?.isAllowed, true)
  })

  /** Makes the calls while a row is locked, so that some have looked before any is counted. */
  async function meeting<T>(lock: RawBuilder<unknown>, calls: () => Promise<readonly T[]>): Promise<readonly T[]> {
    let made: Promise<readonly T[]> | undefined
    await inTransaction(third, async (trx) => {
      await lock.execute(trx)
      made = calls()
      await until(async () => {
        const { rows: [row] } = await sql<{ waiting: number }>`
          select count(*) as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(third)
        return (row?.waiting ?? 0) >= MEETING
      }, 'some wait')
    })
    return made ?? []
  }

  test('40 calls at once of one client drain an address by no more than that client was allowed', async () => {
    await database.db.insertInto('rate_limit_windows').values({ key: 'wide:client', points: 0, expire: Date.now() + 60_000 }).execute()
    const lock = sql`update rate_limit_windows set points = 0 where key = 'wide:client'`
    const answers = await meeting(lock, () =>
      atOnce(40, () => [
        { limit: window('wide', 50), key: 'client' },
        { limit: window('narrow', 1), key: 'client' },
        { limit: bucket, key: 'drained' },
      ]),
    )
    assert.equal(answers.filter((all) => all.every(({ isAllowed }) => isAllowed)).length, 1)
    assert.equal(await fullAt('drained'), clock.now() + REFILL_MS)
  })

  test('40 calls at once of as many clients take from an address what was in it, and no more', async () => {
    await countsOf(database.db).count([{ limit: bucket, key: 'burst' }])
    const lock = sql`update rate_limit_buckets set full_at_ms = full_at_ms where key = 'burst'`
    const answers = await meeting(lock, () =>
      atOnce(40, (n) => [{ limit: window('own', 1), key: `client-${n}` }, { limit: bucket, key: 'burst' }]),
    )
    assert.equal(answers.filter((all) => all.every(({ isAllowed }) => isAllowed)).length, 4)
    assert.equal(await fullAt('burst'), clock.now() + 5 * REFILL_MS)
    for (const [, ofBucket] of answers) {
      if (!ofBucket?.isAllowed) assert.deepEqual(ofBucket, { isAllowed: false, remaining: 0, msBeforeNext: REFILL_MS })
    }
  })

  test('a call is counted by one statement, whatever its limits are, and refused by one', async () => {
    const uses = [{ limit: window('one', 1), key: 'client' }, { limit: window('two', 2), key: 'client' }, { limit: bucket, key: 'statement' }]
    for (const isAllowed of [true, false]) {
      const statements = await recorded(database.db, async (recording) => {
        assert.equal((await countsOf(recording).count(uses))[0]?.isAllowed, isAllowed)
      })
      assert.equal(statements.length, 1)
    }
  })

  test('a flood of refused calls writes nothing and locks nothing', async () => {
    const byWindow = [{ limit: window('flood', 1), key: 'client' }, { limit: window('wide', 9), key: 'flooding' }, { limit: bucket, key: 'flood' }]
    await countsOf(database.db).count(byWindow)
    const byBucket = [{ limit: window('wide', 9), key: 'other' }, { limit: bucket, key: 'flood-empty' }]
    for (let n = 0; n < 5; n += 1) await countsOf(database.db).count(byBucket)
    const earlier = await rows()
    for (const uses of [byWindow, byBucket, byBucket.slice(1)]) {
      for (const answers of await atOnce(20, () => uses)) assert.ok(answers.some(({ isAllowed }) => !isAllowed))
    }
    assert.deepEqual(await rows(), earlier)
  })

  test('a block begins with the first that is refused, is seen by all at once, and is not put off by more', async () => {
    const uses = [{ limit: window('open', 300), key: 'client' }, { limit: window('blocking', 3, 900), key: 'client' }]
    const answers = await atOnce(40, () => uses)
    const refused = answers.filter(([, blocking]) => blocking?.isAllowed === false)
    assert.equal(refused.length, 37)
    for (const [, blocking] of refused) {
      assert.ok((blocking?.msBeforeNext ?? 0) > 800_000 && (blocking?.msBeforeNext ?? 0) <= 900_000)
    }
    const earlier = await rows()
    const later = await atOnce(10, () => uses)
    assert.ok(later.every(([, blocking]) => blocking?.isAllowed === false && blocking.msBeforeNext > 800_000))
    assert.deepEqual(await rows(), earlier)

    const alone = [uses[0] ?? uses[1], { limit: window('blocking', 3, 900), key: 'alone' }].filter((use) => use !== undefined)
    for (let n = 0; n < 3; n += 1) await countsOf(other).count(alone)
    const counted = await points('open:client')
    const [, first] = await countsOf(other).count(alone)
    assert.equal(first?.isAllowed, false)
    assert.ok((first?.msBeforeNext ?? 0) > 800_000)
    assert.equal(await points('open:client'), counted, 'what refuses is counted, and nothing else')
  })

  test('a window that is over begins anew', async () => {
    const uses = [{ limit: window('over', 1, 900), key: 'client' }]
    const counts = countsOf(database.db)
    for (const isAllowed of [true, false, false]) assert.equal((await counts.count(uses))[0]?.isAllowed, isAllowed)
    await database.db.updateTable('rate_limit_windows').set({ expire: Date.now() }).where('key', '=', 'over:client').execute()
    const [first] = await counts.count(uses)
    assert.deepEqual([first?.isAllowed, first?.remaining], [true, 0])
    assert.ok((first?.msBeforeNext ?? 0) <= 60_000)
  })

  test('they say what counts in memory say, whatever is done and whenever', async () => {
    const moving = manualClock()
    const both = [countsOf(database.db, moving), createMemoryCounts(moving)]
    const uses = [{ limit: window('same', 12), key: 'a' }, { limit: window('same-blocked', 15, 900), key: 'a' }]
    for (const waitMs of [0, 0, 0, 0, 0, 0, 1, 299_999, 0, 600_000, 0, 0, 0, 1_500_000, 5000, 0, -900_000, 0, 300_000, 0]) {
      moving.advance(waitMs)
      const alone = await Promise.all(both.map((counts) => counts.count([{ limit: bucket, key: 'same' }])))
      assert.deepEqual(alone[0], alone[1], `after ${waitMs}`)
      const [shared, inMemory] = await Promise.all(
        both.map(async (counts) => {
          const answers = await counts.count([...uses, { limit: bucket, key: 'same' }])
          return answers.map(({ isAllowed, remaining, msBeforeNext }) => [isAllowed, remaining, Math.round(msBeforeNext / 30_000)])
        }),
      )
      assert.deepEqual(shared, inMemory, `after ${waitMs}`)
    }
  })
})

describe('while the database is away', () => {
  test('each process counts for itself: nobody is refused for it, and not everybody let in', async () => {
    const nobody = createServer().listen(0, '127.0.0.1')
    await once(nobody, 'listening')
    const { port } = nobody.address() as AddressInfo
    nobody.close()
    await once(nobody, 'close')
    const db = openAt(`postgres://nobody@127.0.0.1:${port}/nothing`)
    const counts = countsOf(db)
    const uses = [{ limit: window('away', 9), key: 'client' }, { limit: bucket, key: 'away' }]
    const answers: boolean[] = []
    for (let n = 0; n < 6; n += 1) answers.push((await counts.count(uses)).every(({ isAllowed }) => isAllowed))
    assert.deepEqual(answers, [true, true, true, true, true, false])
    await db.destroy()
  })

  test('it is asked once and waited for no longer than a caller has time; a second later it is asked again', async () => {
    const sockets: Socket[] = []
    // Takes connections, and never says a word.
    const silent = createServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const logged: string[] = []
    const speaking = createLog('warn', { write: (line) => void logged.push(line) })
    const database = locationOf(`postgres://nobody@127.0.0.1:${(silent.address() as AddressInfo).port}/nothing`)
    const db = openDatabase({ database, databasePoolSize: 10 }, speaking, { ...PATIENT })
    const counts = createSharedCounts({ store: countStore(db), log: speaking }, clock, createMemoryCounts(clock))
    const uses = [{ limit: window('silent', 10), key: 'client' }]
    const answers = []
    for (let n = 0; n < 12; n += 1) answers.push((await counts.count(uses))[0]?.isAllowed)
    assert.deepEqual(answers, [...Array<boolean>(10).fill(true), false, false])
    const asked = sockets.length
    assert.ok(asked <= 2, `asked ${asked} times for 12 calls`)
    assert.equal(logged.filter((line) => line.includes('counted in memory')).length, asked)
    await until(async () => {
      await counts.count(uses)
      return sockets.length > asked
    }, 'it is asked again')
    for (const socket of sockets) socket.destroy()
    silent.close()
    await db.destroy()
  })
})
