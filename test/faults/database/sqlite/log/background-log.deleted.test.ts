/** What was deleted is in neither the database file nor its log, and the log gives its space back (docs/decisions/0048). */
import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../../../../../src/database/database.ts'
import { openSqlite } from '../../../../../src/database/sqlite/sqlite-database.ts'
import { createLog } from '../../../../../src/lib/log.ts'
import { temporaryFolder } from '../../../../support/files.ts'
import { until } from '../../../../support/until.ts'

const FRAME_BYTES = 4096 + 24
const ADDRESS = 'distinctive-address@example.com'

let folder: ReturnType<typeof temporaryFolder>
let path: string
let lost: Error[]

before(() => {
  folder = temporaryFolder()
})
after(() => folder.remove())
beforeEach(() => {
  path = join(folder.path, `${performance.now()}.db`)
  lost = []
})

/** As a service opens it, but the log is cleared every tenth of a second. */
async function open(t: TestContext, log = createLog('silent')): Promise<Database> {
  const background = { log, onLost: (error: Error) => void lost.push(error), clearEveryMs: 100 }
  const db = openSqlite(path, { background })
  t.after(() => db.close())
  await sql`create table people (id integer primary key, email text unique)`.execute(db.query)
  return db
}

const isIn = (suffix: '' | '-wal') => readFileSync(path + suffix, 'latin1').includes(ADDRESS)
const logBytes = () => statSync(`${path}-wal`).size

/** Other addresses around it, so that it is in the middle of pages. */
async function addPeople(db: Database): Promise<void> {
  for (let id = 0; id < 500; id += 1)
    await sql`insert into people values (${id}, ${id === 250 ? ADDRESS : `${(id * 7919) % 500}@example.com`})`.execute(
      db.query,
    )
}

test('a deleted address is soon in neither the file nor its log, without any further write', async (t) => {
  const db = await open(t)
  await addPeople(db)
  await until(async () => isIn(''))
  await sql`update people set email = 'deleted' where email = ${ADDRESS}`.execute(db.query)
  await until(async () => !isIn('') && !isIn('-wal'))
  const { rows } = await sql<{ count: number }>`select count(*) as count from people`.execute(db.query)
  assert.deepEqual([rows[0]?.count, lost], [500, []])
})

test('also when another process deleted it', async (t) => {
  const db = await open(t)
  await addPeople(db)
  await until(async () => isIn(''))
  const command = openSqlite(path)
  await sql`delete from people where email = ${ADDRESS}`.execute(command.query)
  await command.close()
  await until(async () => !isIn('') && !isIn('-wal'))
  assert.deepEqual(lost, [])
})

test('after the last process closed it, a deleted address is in neither', async () => {
  const db = openSqlite(path)
  await sql`create table people (id integer primary key, email text unique)`.execute(db.query)
  await addPeople(db)
  await sql`delete from people where email = ${ADDRESS}`.execute(db.query)
  await db.close()
  assert.equal(isIn(''), false)
  assert.throws(() => logBytes(), { code: 'ENOENT' })
})

test('a log that grew while another process read gives its space back when the reader ends', async (t) => {
  const pauses: { frames: number; bytesAfter: number }[] = []
  const write = (line: string) => pauses.push({ frames: JSON.parse(line).frames, bytesAfter: logBytes() })
  const db = await open(t, createLog('debug', { write }))
  const reader = new DatabaseSync(path)
  reader.exec('begin; select * from people')
  for (let id = 0; id < 40; id += 1)
    await sql`insert into people values (${id}, ${id + 'x'.repeat(1_000_000)})`.execute(db.query)
  assert.ok(logBytes() > 8000 * FRAME_BYTES, 'the reader keeps the log')
  reader.close()
  const isCut = () => pauses.some(({ frames, bytesAfter }) => frames > 8000 && bytesAfter < 2000 * FRAME_BYTES)
  await until(isCut, 'a pause that leaves only the space of a short log')
  await addOne(db)
  const { rows } = await sql<{ count: number }>`select count(*) as count from people`.execute(db.query)
  assert.deepEqual([rows[0]?.count, lost], [41, []])
})

const addOne = (db: Database) => sql`insert into people values (99, 'after')`.execute(db.query)

test('every connection overwrites what it deletes, except those that delete nothing', async (t) => {
  const db = await open(t)
  const { rows } = await sql`pragma secure_delete`.execute(db.query)
  assert.deepEqual(rows, [{ secure_delete: 1 }])
  const root = join(import.meta.dirname, '../../../../..')
  const openers = globSync('{src,cli,scripts}/**/*.ts', { cwd: root }).filter((file) =>
    / new DatabaseSync\((?!':memory:')/.test(readFileSync(join(root, file), 'utf8')),
  )
  assert.ok(openers.length > 5)
  const without = openers.filter((file) => !readFileSync(join(root, file), 'utf8').includes('secure_delete = ON'))
  // The source and the copy of a backup, and a file that is checked, are only read; the lock file is empty.
  assert.deepEqual(
    without.toSorted(),
    ['backup', 'file-check', 'file-lock'].map((name) => `src/database/sqlite/${name}.ts`),
  )
})

test('clearing the log loses no write', async (t) => {
  const lines: Readonly<{ frames?: number }>[] = []
  const db = await open(t, createLog('debug', { write: (line) => void lines.push(JSON.parse(line)) }))
  // A longer log would start anew without being cleared.
  const clears = () => lines.filter(({ frames = Infinity }) => frames < 4000).length
  let written = 0
  for (const endMs = performance.now() + 60_000; clears() < 3 && performance.now() < endMs; written += 1)
    await sql`insert into people values (${written}, ${`${written}@example.com`})`.execute(db.query)
  assert.ok(clears() >= 3)
  // A reader sees file and log as the next start would.
  const file = new DatabaseSync(path)
  assert.equal(file.prepare('select count(*) as count from people').get()?.['count'], written)
  assert.deepEqual({ ...file.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  file.close()
  assert.deepEqual(lost, [])
})
