import '../../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { afterEach, beforeEach, test } from 'node:test'
import { createDailyUses } from '../../../../src/domain/keys/daily-uses/daily-uses.ts'
import type { DailyUses } from '../../../../src/domain/keys/daily-uses/daily-uses.ts'
import type { Database } from '../../../../src/database/database.ts'
import { createLog } from '../../../../src/lib/log.ts'
import { keyRow, userRow } from '../../../support/accounts/rows.ts'
import { manualClock } from '../../../support/clock.ts'
import type { ManualClock } from '../../../support/clock.ts'
import { openNewDatabase } from '../../../support/database/database.ts'
import type { OpenedDatabase } from '../../../support/database/database.ts'
import { addTriggers } from '../../../support/database/triggers.ts'

let database: OpenedDatabase
let db: Database
let clock: ManualClock
let logLines: string[]
let dailyUses: DailyUses

const newDailyUses = () =>
  createDailyUses({ db, clock, log: createLog('info', { write: (line) => void logLines.push(line) }) })

beforeEach(async () => {
  database = await openNewDatabase()
  ;({ db } = database)
  await db.query.insertInto('users').values(userRow('ana')).execute()
  await db.query
    .insertInto('api_keys')
    .values(['one', 'two'].map((id) => keyRow(id)))
    .execute()
  clock = manualClock(Date.UTC(2030, 0, 1, 23, 59))
  logLines = []
  dailyUses = newDailyUses()
})
afterEach(async () => {
  await dailyUses.close()
  await database.close()
})

const stored = async () =>
  (await db.query.selectFrom('key_daily_uses').selectAll().orderBy('key_id').orderBy('day').execute()).map(
    ({ key_id: id, day, exchanges, refusals, user_id: userId }) => [id, day, exchanges, refusals, userId],
  )

const note = (id: string, times: number): void => {
  for (let n = 0; n < times; n += 1) dailyUses.noteExchange(id)
}

test('exchanges are added up per key and day (UTC), over flushes and processes, and nothing is written before', async () => {
  note('one', 3)
  note('two', 1)
  assert.deepEqual(await stored(), [])
  await dailyUses.flush()
  clock.advance(120_000)
  note('one', 2)
  const other = newDailyUses()
  other.noteExchange('one')
  await Promise.all([dailyUses.flush(), other.flush()])
  await other.close()
  assert.deepEqual(await stored(), [
    ['one', '2030-01-01', 3, 0, 'ana'],
    ['one', '2030-01-02', 3, 0, 'ana'],
    ['two', '2030-01-01', 1, 0, 'ana'],
  ])
})

test('flushes at the same time, and exchanges during them, are counted once', async () => {
  note('one', 2)
  const flushes = [dailyUses.flush(), dailyUses.flush()]
  note('one', 5)
  await Promise.all([...flushes, dailyUses.flush()])
  assert.deepEqual(await stored(), [['one', '2030-01-01', 7, 0, 'ana']])
})

test('counts whose write failed are written with the next, and on closing', async () => {
  const heal = await addTriggers(db, { on: 'before insert', table: 'key_daily_uses', fail: 'no' })
  note('one', 2)
  await assert.rejects(dailyUses.flush())
  await heal()
  note('one', 1)
  await dailyUses.close()
  assert.deepEqual(await stored(), [['one', '2030-01-01', 3, 0, 'ana']])
  assert.deepEqual(logLines, [])
})

test('a key that was deleted meanwhile gets no row', async () => {
  note('one', 1)
  note('two', 1)
  await db.query.deleteFrom('api_keys').where('id', '=', 'one').execute()
  await dailyUses.flush()
  assert.deepEqual(await stored(), [['two', '2030-01-01', 1, 0, 'ana']])
})
