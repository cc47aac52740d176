/** Transactions of one turn are committed together, each whole or nothing for itself, and told only when they are on the disk. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, test } from 'node:test'
import { getHeapSpaceStatistics } from 'node:v8'
import { sql } from 'kysely'
import type { Database, Transaction } from '../../../src/database/database.ts'
import { openSqlite } from '../../../src/database/sqlite/sqlite-database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { temporaryFolder } from '../../support/files.ts'

const folder = temporaryFolder()
let db: Database
let commits = 0

before(async () => {
  db = openSqlite(`${folder.path}/service.db`)
  await migrate(db)
  const file = embeddedFileOf(db)
  assert.ok(file)
  const prepare = file.prepare.bind(file)
  file.prepare = (text) => {
    if (/^commit$/i.test(text)) commits += 1
    return prepare(text)
  }
})
beforeEach(async () => {
  await db.query.deleteFrom('mail_pauses').execute()
  commits = 0
})
after(async () => {
  await db.close()
  folder.remove()
})

const pause = (trx: Database | Transaction, email: string) =>
  trx.query.insertInto('mail_pauses').values({ email, paused_at_ms: 1, mailed_at_ms: null }).execute()
const paused = async () =>
  (await db.query.selectFrom('mail_pauses').select('email').orderBy('email').execute()).map(({ email }) => email)

test('those of one turn are one commit, single statements among them', async () => {
  await Promise.all([
    ...[1, 2, 3].map((n) => db.transaction((trx) => pause(trx, `a${n}`))),
    ...[1, 2].map((n) => inOneStatement(db, (at) => pause(at, `b${n}`))),
  ])
  assert.deepEqual(await paused(), ['a1', 'a2', 'a3', 'b1', 'b2'])
  assert.equal(commits, 1)
})

test('one that fails undoes what it did and nothing of the others', async () => {
  const outcomes = await Promise.allSettled([
    db.transaction((trx) => pause(trx, 'first')),
    db.transaction(async (trx) => {
      await pause(trx, 'undone')
      throw new Error('no')
    }),
    db.transaction(async (trx) => {
      await pause(trx, 'undone')
      await pause(trx, 'first')
    }),
    db.transaction((trx) => pause(trx, 'last')),
  ])
  assert.deepEqual(outcomes.map(({ status }) => status), ['fulfilled', 'rejected', 'rejected', 'fulfilled'])
  assert.deepEqual(await paused(), ['first', 'last'])
})

test('nothing is told before the commit, and where that fails all have failed and nothing is there', async () => {
  let told = 0
  // Broken at the commit, and not before it.
  const orphan = (trx: Transaction) =>
    trx.query.insertInto('identities').values({ issuer: 'i', subject: 's', user_id: 'nobody', email: 'e', connected_at_ms: 1, sign_in_id: 's' }).execute()
  const outcomes = await Promise.allSettled([
    db.transaction((trx) => pause(trx, 'before')).finally(() => (told += 1)),
    db.transaction(async (trx) => {
      embeddedFileOf(db)?.prepare('pragma defer_foreign_keys = on').run([])
      await orphan(trx)
      assert.equal(told, 0)
    }),
    db.transaction(async (trx) => {
      await pause(trx, 'after')
      assert.equal(told, 0)
    }),
  ])
  assert.deepEqual(outcomes.map(({ status }) => status), ['rejected', 'rejected', 'rejected'])
  assert.deepEqual(await paused(), [])
})

test('more than fit into one group are more than one, in their order', async () => {
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 250 }, (_, n) =>
      db.transaction(async (trx) => {
        await pause(trx, `n${n}`)
        order.push(n)
      }),
    ),
  )
  assert.equal((await paused()).length, 250)
  assert.equal(commits, 3)
  assert.deepEqual(order, order.toSorted((a, b) => a - b))
})

test('a schema that another process changes is noticed: no value is under another column’s name', async () => {
  const other = new DatabaseSync(`${folder.path}/service.db`)
  other.exec("create table things (id text, name text, v integer); insert into things values ('i', 'n', 1)")
  const file = embeddedFileOf(db)
  const all = async () => (await sql<object>`select * from things`.execute(db.query)).rows
  const together = () => file?.readTogether(() => file.prepare('select * from things').all([]))
  assert.deepEqual(await all(), [{ id: 'i', name: 'n', v: 1 }])
  other.exec("alter table things drop column name; alter table things add column x text default 'x'")
  assert.deepEqual(await all(), [{ id: 'i', v: 1, x: 'x' }])
  other.exec('alter table things rename column v to w')
  assert.deepEqual(together(), [{ id: 'i', w: 1, x: 'x' }])
  other.exec('alter table things rename column w to u')
  assert.deepEqual(await db.transaction(async (trx) => (await sql<object>`select * from things`.execute(trx.query)).rows), [
    { id: 'i', u: 1, x: 'x' },
  ])
  other.close()
})

test('reads that end their transaction by an error, as on a failing disk, say that error, and the next ones go on', async () => {
  const file = embeddedFileOf(db)
  assert.ok(file)
  const failing = async () => {
    file.prepare('rollback').run([])
    throw new Error('disk I/O error')
  }
  await assert.rejects(file.readTogether(failing), /disk I\/O error/)
  assert.equal(file.isInTransaction, false)
  assert.deepEqual(await paused(), [])
  await db.transaction((trx) => pause(trx, 'afterwards'))
  assert.deepEqual(await paused(), ['afterwards'])
})

test('a read leaves nothing in the old space, which only a collection of the whole heap takes away', () => {
  const file = embeddedFileOf(db)
  const usedBytes = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
  const read = () => file?.readTogether(() => file.prepare('select email from mail_pauses').all([]))
  const READS = 20_000
  for (let n = 0; n < READS; n++) read()
  const usedFirst = usedBytes()
  for (let n = 0; n < READS; n++) read()
  const bytesPerRead = (usedBytes() - usedFirst) / READS
  assert.ok(bytesPerRead < 20, `${bytesPerRead} bytes for each read`)
})
