/** Limits shared by processes: several processes grant no more together than one, and a refusal costs one query. */
import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Database, Queries } from '../../../src/database/database.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { takeFromAll } from '../../../src/database/rate-limit-store.ts'
import { createMemoryBuckets } from '../../../src/http/rate-limit/memory-buckets.ts'
import type { TakeAll } from '../../../src/http/rate-limit/memory-buckets.ts'
import { createSharedBuckets } from '../../../src/http/rate-limit/shared-buckets.ts'
import { createLog } from '../../../src/lib/log.ts'
import type { Log } from '../../../src/lib/log.ts'
import { takeOf } from '../../../src/lib/token-bucket.ts'
import type { Take } from '../../../src/lib/token-bucket.ts'
import { database as locationOf } from '../../../src/config/parsers.ts'
import { manualClock } from '../../support/clock.ts'
import { clusterUrl, openAt, openNewDatabase, PATIENT } from '../../support/database/database.ts'
import type { OpenedDatabase } from '../../support/database/database.ts'
import { recorded } from '../../support/database/query-plans.ts'
import { until } from '../../support/until.ts'

const clock = manualClock()
const minute = (key: string, count: number, blockSeconds = 0) =>
  takeOf(key, { count, seconds: 60 }, clock.now(), { blockSeconds })
// 5 per 25 minutes: one refill every 5.
const bucket = (key: string) => takeOf(key, { count: 5, seconds: 1500 }, clock.now())
const REFILL_MS = 300_000
const BLOCK_MS = 900_000
/** Minimum number of calls that overlap: fewer than the two processes have connections. */
const MEETING = 4

const silent = createLog('silent')
const statesFrom = (takeAll: TakeAll) => async (takes: readonly Take[]) => (await takeAll(takes)).states
const bucketsOf = (db: Queries, log: Log = silent, { sharedBucketTimeoutMs } = PATIENT) =>
  statesFrom(
    createSharedBuckets({ take: (takes) => takeFromAll(db, takes), log, sharedBucketTimeoutMs }, createMemoryBuckets()),
  )

describe(
  'buckets of several processes',
  {
    skip: clusterUrl === undefined && 'processes share counts on PostgreSQL only',
  },
  () => {
    let database: OpenedDatabase
    let other: Database
    let third: Database
    before(async () => {
      database = await openNewDatabase()
      other = openAt(database.url)
      third = openAt(database.url)
    })
    after(async () => {
      await other?.close()
      await third?.close()
      await database?.close()
    })

    /** All rows with the system columns that reveal a write or a lock. */
    const rows = async (): Promise<unknown[]> =>
      (await sql`select *, ctid::text, xmax::text from rate_limit_buckets order by key`.execute(database.db.query)).rows
    const fullAt = async (key: string) =>
      (
        await database.db.query
          .selectFrom('rate_limit_buckets')
          .select('full_at_ms')
          .where('key', '=', key)
          .executeTakeFirst()
      )?.full_at_ms

    /** This many concurrent calls, alternating between two processes. */
    const atOnce = (count: number, takes: (n: number) => readonly Take[]) => {
      const processes = [bucketsOf(database.db), bucketsOf(other)]
      return Promise.all(Array.from({ length: count }, async (_, n) => (await processes[n % 2]?.(takes(n))) ?? []))
    }

    test('what one process has used up the other refuses, and a refused call takes nothing', async () => {
      const [one, two] = [bucketsOf(database.db), bucketsOf(other)]
      const takes = [minute('together-client', 3), bucket('together')]
      for (const take of [one, two, one]) {
        for (const { isAllowed } of await take(takes)) assert.equal(isAllowed, true)
      }
      const [refused, left] = await two(takes)
      assert.deepEqual(refused, { isAllowed: false, remaining: 0, msBeforeNext: 20_000 })
      assert.deepEqual([left?.isAllowed, left?.remaining], [true, 2])
      for (const take of [two, one]) assert.equal((await take(takes.slice(1)))[0]?.isAllowed, true)
      assert.deepEqual(await one(takes.slice(1)), [{ isAllowed: false, remaining: 0, msBeforeNext: REFILL_MS }])
      assert.equal((await one([minute('together-other', 3)]))[0]?.isAllowed, true)
    })

    /** Makes the calls while a row is locked, so that some have read before any is counted. */
    async function meeting<T>(lock: RawBuilder<unknown>, calls: () => Promise<readonly T[]>): Promise<readonly T[]> {
      let made: Promise<readonly T[]> | undefined
      await third.transaction(async (trx) => {
        await lock.execute(trx.query)
        made = calls()
        await until(async () => {
          const {
            rows: [row],
          } = await sql<{ waiting: number }>`
          select count(*) as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(third.query)
          return (row?.waiting ?? 0) >= MEETING
        }, 'some wait')
      })
      return made ?? []
    }

    test('40 concurrent calls of one client drain an address by no more than that client’s limit', async () => {
      await database.db.query.insertInto('rate_limit_buckets').values({ key: 'wide', full_at_ms: 0 }).execute()
      const answers = await meeting(sql`update rate_limit_buckets set full_at_ms = 0 where key = 'wide'`, () =>
        atOnce(40, () => [minute('wide', 50), minute('narrow', 1), bucket('drained')]),
      )
      assert.equal(answers.filter((all) => all.every(({ isAllowed }) => isAllowed)).length, 1)
      for (const [, narrow, address] of answers) {
        if (!narrow?.isAllowed) assert.deepEqual(narrow, { isAllowed: false, remaining: 0, msBeforeNext: 60_000 })
        assert.equal(address?.isAllowed, true, 'it is not the address that refuses')
      }
      assert.equal(await fullAt('drained'), clock.now() + REFILL_MS)
    })

    test('40 concurrent calls of 40 clients take exactly what is in an address’s bucket', async () => {
      await bucketsOf(database.db)([bucket('burst')])
      const answers = await meeting(
        sql`update rate_limit_buckets set full_at_ms = full_at_ms where key = 'burst'`,
        () => atOnce(40, (n) => [minute(`client-${n}`, 1), bucket('burst')]),
      )
      assert.equal(answers.filter((all) => all.every(({ isAllowed }) => isAllowed)).length, 4)
      assert.equal(await fullAt('burst'), clock.now() + 5 * REFILL_MS)
      for (const [, address] of answers) {
        if (!address?.isAllowed) assert.deepEqual(address, { isAllowed: false, remaining: 0, msBeforeNext: REFILL_MS })
      }
    })

    test('a call is counted by one statement, whatever its limits, and refused by one', async () => {
      const takes = [minute('one', 1), minute('two', 2), bucket('statement')]
      for (const isAllowed of [true, false]) {
        const statements = await recorded(database.db, async (recording) => {
          assert.equal((await bucketsOf(recording)(takes))[0]?.isAllowed, isAllowed)
        })
        assert.equal(statements.length, 1)
      }
    })

    test('a flood of refused calls writes nothing and locks nothing', async () => {
      const byOwn = [minute('flood', 1), minute('flooding', 9), bucket('flooded')]
      await bucketsOf(database.db)(byOwn)
      const byAddress = [minute('flooding-other', 9), bucket('flood-empty')]
      for (let n = 0; n < 5; n += 1) await bucketsOf(database.db)(byAddress)
      const byBlock = [minute('flood-blocked', 1, 900)]
      await bucketsOf(database.db)(byBlock)
      const earlier = await rows()
      for (const takes of [byOwn, byAddress, byAddress.slice(1), byBlock]) {
        for (const states of await atOnce(20, () => takes)) assert.ok(states.some(({ isAllowed }) => !isAllowed))
      }
      assert.deepEqual(await rows(), earlier)
    })

    test('a block starts with the last allowed call, applies to all processes at once, and is not extended by more calls', async () => {
      const takes = [minute('open', 300), minute('blocking', 3, 900)]
      const refused = (await atOnce(40, () => takes)).filter(([, blocking]) => blocking?.isAllowed === false)
      assert.equal(refused.length, 37)
      for (const [, blocking] of refused) assert.equal(blocking?.msBeforeNext, BLOCK_MS)
      const earlier = await rows()
      clock.advance(1000)
      const later = await atOnce(10, () => [minute('open', 300), minute('blocking', 3, 900)])
      assert.ok(
        later.every(([, blocking]) => blocking?.isAllowed === false && blocking.msBeforeNext === BLOCK_MS - 1000),
      )
      assert.deepEqual(await rows(), earlier)
    })

    test('they agree with buckets in memory for any sequence of calls', async () => {
      const both = [bucketsOf(database.db), statesFrom(createMemoryBuckets())]
      for (const waitMs of [
        0, 0, 0, 0, 0, 0, 1, 299_999, 0, 600_000, 0, 0, 0, 1_500_000, 5000, 0, 900_000, 1, 0, 60_000,
      ]) {
        clock.advance(waitMs)
        for (const takes of [
          [bucket('same')],
          [minute('same-own', 12), minute('same-blocked', 4, 900), minute('same-once', 1, 5), bucket('same')],
        ]) {
          const [shared, inMemory] = await Promise.all(both.map((take) => take(takes)))
          assert.deepEqual(shared, inMemory, `after ${waitMs}`)
        }
      }
    })

    test('and after the clock is set back', async () => {
      const both = [bucketsOf(database.db), statesFrom(createMemoryBuckets())]
      for (const waitMs of [0, 0, 0, 0, 0, -3_600_000, 0, 300_000, 600_000, 1]) {
        clock.advance(waitMs)
        for (const takes of [[bucket('back')], [minute('back-blocked', 1, 900)]]) {
          const [shared, inMemory] = await Promise.all(both.map((take) => take(takes)))
          assert.deepEqual(shared, inMemory, `after ${waitMs}`)
          assert.ok((shared?.[0]?.msBeforeNext ?? Infinity) <= BLOCK_MS)
        }
      }
    })
  },
)

describe('while the database is away', () => {
  test('each process counts for itself: calls are neither all refused nor all accepted', async () => {
    const nobody = createServer().listen(0, '127.0.0.1')
    await once(nobody, 'listening')
    const { port } = nobody.address() as AddressInfo
    nobody.close()
    await once(nobody, 'close')
    const db = openAt(`postgres://nobody@127.0.0.1:${port}/nothing`)
    const take = bucketsOf(db)
    const states: boolean[] = []
    for (let n = 0; n < 6; n += 1)
      states.push((await take([minute('away-client', 9), bucket('away')])).every(({ isAllowed }) => isAllowed))
    assert.deepEqual(states, [true, true, true, true, true, false])
    await db.close()
  })

  test('it is queried once, with a timeout shorter than a caller’s patience, and again a second later', async () => {
    const sockets: Socket[] = []
    // Accepts connections, and never answers.
    const mute = createServer((socket) => void sockets.push(socket.on('error', () => {}))).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const logged: string[] = []
    const speaking = createLog('warn', { write: (line) => void logged.push(line) })
    const database = locationOf(`postgres://nobody@127.0.0.1:${(mute.address() as AddressInfo).port}/nothing`)
    const db = openDatabase({ database, databasePoolSize: 10 }, speaking, { ...PATIENT })
    const take = statesFrom(
      createSharedBuckets({ take: (takes) => takeFromAll(db, takes), log: speaking }, createMemoryBuckets()),
    )
    const states = []
    for (let n = 0; n < 12; n += 1) states.push((await take([minute('silent', 10)]))[0]?.isAllowed)
    assert.deepEqual(states, [...Array<boolean>(10).fill(true), false, false])
    const asked = sockets.length
    assert.ok(asked <= 2, `asked ${asked} times for 12 calls`)
    assert.equal(logged.filter((line) => line.includes('counted in memory')).length, asked)
    await until(async () => {
      await take([minute('silent', 10)])
      return sockets.length > asked
    }, 'it is asked again')
    for (const socket of sockets) socket.destroy()
    mute.close()
    await db.close()
  })
})
