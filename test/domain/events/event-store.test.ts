import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  incrementTimes,
  deleteEventsBefore,
  findEvents,
  findEventsBetween,
  findEventsOfTypes,
  findEventsSince,
  findLeakedKeys,
  insertEvent,
} from '../../../src/domain/events/event-store.ts'
import { openNewDatabase } from '../../support/database/database.ts'
import type { OpenedDatabase } from '../../support/database/database.ts'

let database: OpenedDatabase
const [ana, bob] = ['ana@example.com', 'bob@example.com'] as const

before(async () => {
  database = await openNewDatabase()
  const user = { role: 'USER', name: null, token_version: 0, claimed_at_ms: 1, created_at_ms: 1 }
  for (const id of [ana, bob])
    await database.db.query
      .insertInto('users')
      .values({ ...user, id, email: id })
      .execute()
})
after(() => database.close())
beforeEach(async () => {
  await database.db.query.deleteFrom('security_events').execute()
})

/** Each event is `[id, time, type]`. */
function add(userId: string, ...events: readonly (readonly [string, number, string])[]): Promise<void> {
  const usual = {
    user_id: userId,
    client: null,
    api_key_id: null,
    by_api_key_id: null,
    sign_in_id: null,
    by_sign_in_id: null,
    detail: null,
    times: 1,
    browser: null,
  }
  return database.db.transaction(async (trx) => {
    for (const [id, at_ms, type] of events) await insertEvent(trx, { ...usual, id, at_ms, type })
  })
}

const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id)
const left = async () => ids(await database.db.query.selectFrom('security_events').select('id').orderBy('id').execute())

test('a page lists the newest events first, ties by id, and starts strictly after its position', async () => {
  await add(ana, ['b', 1, 'x'], ['d', 2, 'x'], ['a', 2, 'x'], ['c', 2, 'x'], ['e', 3, 'x'])
  await add(bob, ['f', 2, 'x'])
  const find = async (position: { atMs: number; id: string } | undefined, limit = 9) =>
    ids(await findEvents(database.db, ana, { after: position, limit, hiddenTypes: [] }))
  assert.deepEqual(await find(undefined), ['e', 'd', 'c', 'a', 'b'])
  assert.deepEqual(await find(undefined, 2), ['e', 'd'])
  assert.deepEqual(await find({ atMs: 2, id: 'd' }), ['c', 'a', 'b'])
  assert.deepEqual(await find({ atMs: 2, id: '' }), ['b'])
  assert.deepEqual(await find({ atMs: 1, id: 'b' }), [])
})

test('every page leaves out the hidden types, and no others', async () => {
  await add(ana, ['a', 1, 'x'], ['b', 2, 'y'], ['c', 3, 'x'], ['d', 4, 'z'], ['e', 5, 'x'])
  const find = async (hiddenTypes: string[], position?: { atMs: number; id: string }) =>
    ids(await findEvents(database.db, ana, { after: position, limit: 2, hiddenTypes }))
  assert.deepEqual(await find(['x']), ['d', 'b'])
  assert.deepEqual(await find(['y', 'z']), ['e', 'c'])
  assert.deepEqual(await find(['y', 'z'], { atMs: 3, id: 'c' }), ['a'])
  assert.deepEqual(await find([]), ['e', 'd'])
})

test('pages of some types have all of their events and no others, newest first, ties by id', async () => {
  await add(ana, ['a', 1, 'x'], ['b', 2, 'y'], ['c', 2, 'x'], ['d', 2, 'z'], ['e', 2, 'y'], ['f', 5, 'x'])
  await add(bob, ['g', 2, 'x'])
  const find = async (types: string[], limit = 9, position?: { atMs: number; id: string }) =>
    ids(await findEventsOfTypes(database.db, ana, { after: position, limit, types }))
  assert.deepEqual(await find(['x', 'y']), ['f', 'e', 'c', 'b', 'a'])
  assert.deepEqual(await find(['x', 'y'], 2), ['f', 'e'])
  assert.deepEqual(await find(['x', 'y'], 2, { atMs: 2, id: 'e' }), ['c', 'b'])
  assert.deepEqual(await find(['x', 'y'], 2, { atMs: 2, id: 'b' }), ['a'])
  assert.deepEqual(await find(['z']), ['d'])
  assert.deepEqual(await find(['none']), [])
  assert.deepEqual(await find([]), [])
})

test('a span includes its start and excludes its end', async () => {
  await add(ana, ['a', 1, 'x'], ['b', 2, 'x'], ['c', 2, 'y'], ['d', 3, 'x'], ['e', 4, 'x'])
  await add(bob, ['f', 2, 'x'])
  const found = await database.db.transaction((trx) =>
    findEventsBetween(trx, ana, ['x', 'z'], { fromMs: 2, beforeMs: 4 }),
  )
  assert.deepEqual(ids(found).toSorted(), ['b', 'd'])
})

test('leaked keys are told once each, null for those no longer on record or of another account', async () => {
  const key = { name: 'k', secret_hash: 'h', created_at_ms: 1, kind: 'key' } as const
  for (const [id, user_id] of [
    ['kept', ana],
    ['foreign', bob],
  ] as const)
    await database.db.query
      .insertInto('api_keys')
      .values({ ...key, id, user_id, key_id: `plk_${id}` })
      .execute()
  await add(ana, ['a', 1, 'key_leaked'], ['b', 2, 'key_leaked'], ['c', 3, 'key_leaked'], ['d', 4, 'key_leaked'])
  await add(ana, ['e', 2, 'key_leaked'], ['f', 2, 'key_created'])
  const name = (event: string, api_key_id: string) =>
    database.db.query.updateTable('security_events').set({ api_key_id }).where('id', '=', event).execute()
  for (const event of ['a', 'b', 'c', 'd', 'f']) await name(event, 'kept')
  await name('e', 'gone')
  const find = async (fromMs: number, beforeMs: number) => {
    const found = await database.db.transaction((trx) => findLeakedKeys(trx, ana, { fromMs, beforeMs }))
    return found.map(({ recordId }) => recordId).toSorted()
  }
  assert.deepEqual(await find(2, 4), ['kept', null])
  assert.deepEqual(await find(3, 4), ['kept'])
  assert.deepEqual(await find(5, 9), [])
  await name('b', 'foreign')
  await name('c', 'foreign')
  assert.deepEqual(await find(2, 4), [null])
})

test('incrementTimes changes only the named event', async () => {
  await add(ana, ['a', 1, 'x'], ['b', 1, 'x'])
  await database.db.transaction((trx) => incrementTimes(trx, 'a', { more: 41, browser: 'Chrome' }))
  const events = await database.db.query.selectFrom('security_events').selectAll().orderBy('id').execute()
  assert.deepEqual(
    events.map(({ times }) => times),
    [42, 1],
  )
})

test('findEventsSince includes the given time, returns only the requested types, and lists the oldest first', async () => {
  await add(ana, ['d', 4, 'x'], ['c', 3, 'y'], ['b', 2, 'x'], ['a', 2, 'y'], ['z', 1, 'x'], ['e', 5, 'w'])
  await add(bob, ['f', 3, 'x'])
  const find = async (types: string[]) => ids(await findEventsSince(database.db, ana, types, 2))
  assert.deepEqual(await find(['x', 'y']), ['a', 'b', 'c', 'd'])
  assert.deepEqual(await find(['x']), ['b', 'd'])
})

test('a sweep deletes at most one batch of older events, returns the count, and keeps events of the given time', async () => {
  await add(ana, ['a', 1, 'x'], ['b', 1, 'x'], ['c', 2, 'x'], ['d', 3, 'x'])
  await add(bob, ['e', 2, 'x'], ['f', 4, 'x'])
  const counts = [2, 2, 2].map((limit) => () => deleteEventsBefore(database.db, 3, limit))
  const swept: number[] = []
  for (const sweep of counts) swept.push(await sweep())
  assert.deepEqual(swept, [2, 2, 0])
  assert.deepEqual(await left(), ['d', 'f'])
})
