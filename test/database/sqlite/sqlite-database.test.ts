import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Database } from '../../../src/database/database.ts'
import { isSqliteUnavailable } from '../../../src/database/sqlite/errors.ts'
import { openSqlite } from '../../../src/database/sqlite/sqlite-database.ts'
import { createLog } from '../../../src/lib/log.ts'
import { temporaryFolder } from '../../support/files.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string
let db: Database
before(() => {
  folder = temporaryFolder()
})
after(() => folder.remove())

beforeEach(async () => {
  path = join(folder.path, `data-${performance.now()}`, 'test.db')
  db = openSqlite(path)
  await sql`
    create table notes (id integer primary key, text text unique, parent integer references notes (id))
  `.execute(db.query)
})
afterEach(() => db.close())

async function pragma(name: string): Promise<unknown> {
  const { rows } = await sql.raw<Record<string, unknown>>(`pragma ${name}`).execute(db.query)
  return Object.values(rows[0] ?? {})[0]
}

/** Returns the error of `work`. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const [{ status, ...rest }] = await Promise.allSettled([work])
  assert.equal(status, 'rejected')
  return 'reason' in rest ? rest.reason : undefined
}

describe('an opened database', () => {
  test('uses a write-ahead log, which SQLite syncs at each commit [F5]', async () => {
    assert.equal(await pragma('journal_mode'), 'wal')
    assert.equal(await pragma('synchronous'), 2)
  })

  test('of a service leaves syncs of commits and checkpoints to threads [F5]', async () => {
    await db.close()
    db = openSqlite(path, { background: { log: createLog('silent'), onLost: assert.fail } })
    assert.equal(await pragma('journal_mode'), 'wal')
    assert.equal(await pragma('synchronous'), 1)
    assert.equal(await pragma('wal_autocheckpoint'), 0)
    assert.equal(await pragma('busy_timeout'), 0)
  })

  test('enforces foreign keys, never blocks the event loop on a lock, and trusts no function in a schema', async () => {
    assert.equal(await pragma('foreign_keys'), 1)
    assert.equal(await pragma('busy_timeout'), 0)
    assert.equal(await pragma('trusted_schema'), 0)
    const error = await failureOf(sql`insert into notes (parent) values (99)`.execute(db.query))
    assert.match(String(error), /FOREIGN KEY constraint failed/)
  })

  test('creates its folder for its owner only', () => {
    assert.equal(statSync(join(path, '..')).mode & 0o777, 0o700)
    assert.ok(readdirSync(join(path, '..')).includes('test.db'))
  })

  test('keeps its data when it is reopened', async () => {
    await sql`insert into notes (text) values ('kept')`.execute(db.query)
    await db.close()
    db = openSqlite(path)
    const { rows } = await sql<{ text: string }>`select text from notes`.execute(db.query)
    assert.deepEqual(
      rows.map(({ text }) => text),
      ['kept'],
    )
  })

  test('waits for another process that is creating its first table', async () => {
    const shared = join(folder.path, 'shared.db')
    const program = `
      const file = new (require('node:sqlite').DatabaseSync)(${JSON.stringify(shared)})
      file.exec('create table a (x); begin immediate; insert into a values (1)')
      console.log('writing')
      setTimeout(() => file.exec('commit'), 200)`
    const writer = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(writer.stdout, 'data')
    const opened = openSqlite(shared)
    const { rows } = await sql<{ x: number }>`select x from a`.execute(opened.query)
    await opened.close()
    assert.deepEqual(
      rows.map(({ x }) => x),
      [1],
    )
  })

  test('returns whole numbers beyond 32 bits exactly', async () => {
    const nowMs = Date.now()
    const { rows } = await sql<{ ms: number }>`select ${nowMs} as ms`.execute(db.query)
    assert.equal(rows[0]?.ms, nowMs)
  })

  test('treats every value as a value, never as SQL', async () => {
    const text = `x'); drop table notes; --`
    await sql`insert into notes (text) values (${text})`.execute(db.query)
    const { rows } = await sql<{ text: string }>`select text from notes where text = ${text}`.execute(db.query)
    assert.deepEqual(
      rows.map((row) => row.text),
      [text],
    )
  })
})

describe('a transaction', () => {
  test('takes the write lock at its start, so that what it read is current when it writes', async () => {
    const other = new DatabaseSync(path, { timeout: 0 })
    await db.transaction(async (trx) => {
      await sql`select count(*) from notes`.execute(trx.query)
      assert.throws(() => other.exec(`insert into notes (text) values ('between')`), /database is locked/)
      await sql`insert into notes (text) values ('after reading')`.execute(trx.query)
    })
    other.exec(`insert into notes (text) values ('afterwards')`)
    other.close()
  })
})

describe('isSqliteUnavailable', () => {
  test('a full database is unavailable, and works again when there is space', async () => {
    const pages = Number(await pragma('page_count'))
    await sql.raw(`pragma max_page_count = ${pages}`).execute(db.query)
    const write = () => sql`insert into notes (text) values (${'x'.repeat(100_000)})`.execute(db.query)
    assert.equal(isSqliteUnavailable(await failureOf(write())), true)
    await sql.raw('pragma max_page_count = 100000').execute(db.query)
    await write()
  })

  test('a read-only database is unavailable for writing', async () => {
    await sql`pragma query_only = on`.execute(db.query)
    const error = await failureOf(sql`insert into notes (text) values ('x')`.execute(db.query))
    assert.equal(isSqliteUnavailable(error), true)
    assert.equal((await sql`select * from notes`.execute(db.query)).rows.length, 0)
  })

  test('a file that cannot be opened is unavailable', () => {
    const isFolder = join(folder.path, 'is-a-folder')
    mkdirSync(isFolder, { recursive: true })
    assert.throws(() => openSqlite(isFolder), isSqliteUnavailable)
  })

  test('a constraint violation, invalid SQL and other errors do not count as unavailable', async () => {
    await sql`insert into notes (text) values ('once')`.execute(db.query)
    const errors = [
      await failureOf(sql`insert into notes (text) values ('once')`.execute(db.query)),
      await failureOf(sql`insert into notes (parent) values (99)`.execute(db.query)),
      await failureOf(sql`selec 1`.execute(db.query)),
      new Error('database is locked'),
      Object.assign(new Error('x'), { errcode: 1 }),
      Object.assign(new Error('x'), { code: 'SQLITE_BUSY' }),
      { errcode: 5 },
      'database is locked',
      undefined,
      null,
    ]
    for (const error of errors) assert.equal(isSqliteUnavailable(error), false, String(error))
  })

  test('an extended code counts as its primary code [F7]', () => {
    // SQLITE_BUSY_SNAPSHOT, SQLITE_IOERR_FSYNC, SQLITE_READONLY_DBMOVED, SQLITE_CANTOPEN_ISDIR
    for (const errcode of [517, 1034, 1032, 526]) {
      assert.equal(isSqliteUnavailable(Object.assign(new Error('x'), { errcode })), true, String(errcode))
    }
    // SQLITE_CONSTRAINT_UNIQUE, SQLITE_CONSTRAINT_FOREIGNKEY, SQLITE_CORRUPT_INDEX
    for (const errcode of [2067, 787, 779]) {
      assert.equal(isSqliteUnavailable(Object.assign(new Error('x'), { errcode })), false, String(errcode))
    }
  })
})

test('row locks are omitted, because there is one writer at a time; the rest of the query stays', () => {
  const notes = (db.kysely as Kysely<any>).selectFrom('notes').distinct().select('text')
  assert.equal(notes.forUpdate().skipLocked().compile().sql.trim(), notes.compile().sql)
  assert.match(notes.compile().sql, /^select distinct "text"/)
})
