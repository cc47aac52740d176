import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { sql } from 'kysely'
import { createKeyUse } from '../../src/domain/last-uses.ts'
import type { LastUses } from '../../src/domain/last-uses.ts'
import type { Database } from '../../src/database/database.ts'
import { createLog } from '../../src/lib/log.ts'
import { keyRow, userRow } from '../support/accounts/rows.ts'
import { manualClock } from '../support/clock.ts'
import type { ManualClock } from '../support/clock.ts'
import { openNewDatabase } from '../support/database/database.ts'
import type { OpenedDatabase } from '../support/database/database.ts'
import { addTriggers } from '../support/database/triggers.ts'

const IP = '203.0.113.9'
let database: OpenedDatabase
let db: Database
let clock: ManualClock
let logLines: string[]
let keyUse: LastUses

const newKeyUse = () =>
  createKeyUse({ db, clock, log: createLog('info', { write: (line) => void logLines.push(line) }) })

beforeEach(async () => {
  database = await openNewDatabase()
  ;({ db } = database)
  await db.query.insertInto('users').values(userRow('ana')).execute()
  await db.query
    .insertInto('api_keys')
    .values(['one', 'two'].map((id) => keyRow(id)))
    .execute()
  // A trigger counts the writes of every process.
  await sql`create table writes (id text)`.execute(db.query)
  await addTriggers(db, { on: 'after update', table: 'api_keys', run: 'insert into writes values (new.id)' })
  clock = manualClock(1_000_000)
  logLines = []
  keyUse = newKeyUse()
})
afterEach(async () => {
  await keyUse.close()
  await database.close()
})

const fail = () => addTriggers(db, { on: 'before update', table: 'api_keys', fail: 'no' })

async function lastUsed(id: string): Promise<number | null> {
  const row = db.query.selectFrom('api_keys').select('last_used_at_ms').where('id', '=', id)
  return (await row.executeTakeFirstOrThrow()).last_used_at_ms
}

async function writes(): Promise<string[]> {
  return (await sql<{ id: string }>`select id from writes`.execute(db.query)).rows.map(({ id }) => id)
}

/** Waits until statements in progress have finished. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    await sql`select 1`.execute(db.query)
  }
}

/** Waits for a condition without the platform's timers; the runner has a time limit. */
async function untilTrue(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve))
}

test('many uses of a key are one write, with the time of the last', async () => {
  for (let use = 0; use < 1000; use += 1) {
    clock.advance(1)
    keyUse.note('one', IP)
  }
  assert.deepEqual(await writes(), [], 'a use itself writes nothing')
  await keyUse.flush()
  assert.deepEqual(await writes(), ['one'])
  assert.equal(await lastUsed('one'), 1_001_000)
  assert.equal(await lastUsed('two'), null)

  await db.query.updateTable('api_keys').set({ last_used_at_ms: null }).execute()
  await keyUse.flush()
  assert.equal(await lastUsed('one'), null, 'a written use is not written again')
})

test('the network of the last use is written with its time, in the same write', async () => {
  const network = async (id: string) => {
    const row = db.query.selectFrom('api_keys').select('last_used_network').where('id', '=', id)
    return (await row.executeTakeFirstOrThrow()).last_used_network
  }
  keyUse.note('one', '198.51.100.7')
  clock.advance(1)
  keyUse.note('one', '2001:DB8:1:2:3::4')
  keyUse.note('two', '::ffff:203.0.113.9')
  await keyUse.flush()
  assert.deepEqual([await network('one'), await network('two')], ['2001:db8:1:2::/64', '203.0.113.9'])
  assert.deepEqual(await writes(), ['one', 'two'])
})

test('the time never moves back, whichever process writes last', async () => {
  keyUse.note('one', IP)
  clock.advance(5000)
  const other = newKeyUse()
  other.note('one', IP)
  await other.flush()
  await keyUse.flush()
  assert.equal(await lastUsed('one'), 1_005_000)
  assert.deepEqual(await writes(), ['one'])
  clock.advance(-10_000)
  keyUse.note('one', IP)
  await keyUse.flush()
  assert.equal(await lastUsed('one'), 1_005_000)
  await other.close()
})

test('a use of a deleted key is ignored', async () => {
  keyUse.note('gone', IP)
  keyUse.note('two', IP)
  await keyUse.flush()
  assert.deepEqual(await writes(), ['two'])
})

describe('closing', () => {
  test('writes the pending uses once, in order of id', async () => {
    keyUse.note('two', IP)
    keyUse.note('one', IP)
    await keyUse.close()
    assert.deepEqual(await writes(), ['one', 'two'])
    await keyUse.close()
    assert.deepEqual(await writes(), ['one', 'two'])
  })

  test('succeeds when the database fails, and logs a warning', async () => {
    await fail()
    keyUse.note('one', IP)
    await keyUse.close()
    assert.equal(await lastUsed('one'), null)
    assert.equal(logLines.length, 1)
    assert.match(logLines[0] ?? '', /"msg":"last uses not written"/)
  })
})

// With mocked timers, because the interval is most of a minute.
describe('the timer', () => {
  const MINUTE_MS = 60_000
  const WRITE_EVERY_MS = 50_000

  beforeEach(async () => {
    await keyUse.close()
    mock.timers.enable({ apis: ['setTimeout'] })
    keyUse = newKeyUse()
  })
  afterEach(() => mock.timers.reset())

  async function minutePasses(): Promise<void> {
    mock.timers.tick(MINUTE_MS)
    await settled()
  }

  test('writes in time for a use to be seen within a minute, and not before', async () => {
    keyUse.note('one', IP)
    mock.timers.tick(WRITE_EVERY_MS - 1)
    await settled()
    assert.deepEqual(await writes(), [])
    mock.timers.tick(1)
    await untilTrue(async () => (await writes()).length > 0)
    await minutePasses()
    assert.deepEqual(await writes(), ['one'], 'a minute without a use writes nothing')
  })

  test('writes the first use of a key within seconds, once for all of a second, and no other use with it', async () => {
    keyUse.note('one', IP, true)
    keyUse.note('one', IP, true)
    keyUse.note('two', IP)
    mock.timers.tick(999)
    await settled()
    assert.deepEqual(await writes(), [])
    mock.timers.tick(1)
    await untilTrue(async () => (await writes()).length > 0)
    assert.deepEqual(await writes(), ['one'])
    keyUse.note('two', IP, true)
    await settled()
    mock.timers.tick(1000)
    await untilTrue(async () => (await writes()).length > 1)
    await minutePasses()
    assert.deepEqual(await writes(), ['one', 'two'])
  })

  test('a first use that could not be written is written within a minute', async () => {
    const mend = await fail()
    keyUse.note('one', IP, true)
    mock.timers.tick(1000)
    await untilTrue(async () => logLines.length > 0)
    assert.equal(await lastUsed('one'), null)
    await mend()
    await minutePasses()
    await untilTrue(async () => (await lastUsed('one')) === 1_000_000)
  })

  test('closing waits for the write of a first use, and writes one that is due later', async () => {
    keyUse.note('one', IP, true)
    await keyUse.close()
    assert.deepEqual(await writes(), ['one'])
  })

  test('logs a failure of the database, and writes what it kept within a minute', async () => {
    const mend = await fail()
    keyUse.note('one', IP)
    await minutePasses()
    await untilTrue(async () => logLines.length > 0)
    assert.equal(await lastUsed('one'), null)
    assert.match(logLines.join(''), /"msg":"last uses not written"/)
    await mend()
    keyUse.note('two', IP)
    await minutePasses()
    await untilTrue(async () => (await lastUsed('two')) === 1_000_000)
    assert.equal(await lastUsed('one'), 1_000_000)
    assert.equal(logLines.length, 1)
  })

  test('closing writes what is noted during a write in progress', async () => {
    const held = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const holding = db.transaction(() => {
      begun.resolve()
      return held.promise
    })
    await begun.promise
    keyUse.note('one', IP)
    mock.timers.tick(MINUTE_MS)
    await new Promise((resolve) => setImmediate(resolve))
    keyUse.note('two', IP)
    const closing = keyUse.close()
    held.resolve()
    await Promise.all([holding, closing])
    assert.deepEqual(await writes(), ['one', 'two'])
  })
})
