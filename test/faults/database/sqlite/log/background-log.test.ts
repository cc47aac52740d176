/** The write-ahead log of a service stays small, and is on disk before the service starts. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs, {
  constants,
  copyFileSync,
  openSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, test } from 'node:test'
import type { TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from '../../../../../src/database/database.ts'
import { isSqliteFull } from '../../../../../src/database/sqlite/errors.ts'
import { DatabaseLostError } from '../../../../../src/database/sqlite/log/log-sync.ts'
import { countFrames, LOG_HEADER_BYTES } from '../../../../../src/database/sqlite/log/log-index.ts'
import { reserveStateOf } from '../../../../../src/database/sqlite/log/reserve-file.ts'
import { openSqlite } from '../../../../../src/database/sqlite/sqlite-database.ts'
import { createLog } from '../../../../../src/lib/log.ts'
import { temporaryFolder } from '../../../../support/files.ts'
import { cannotMount, mountSmallDisk } from '../../../../support/database/small-disk.ts'

const FRAME_BYTES = 4096 + 24
/** The log starts anew from 4000 frames on. */
const SMALL_LOG_BYTES = 4000 * FRAME_BYTES
/** From then on it does so also within a second of the last time. */
const LONG_LOG_FRAMES = 32_000
const MANY_WRITES = 30
const WRITE_BYTES = 1_000_000

let folder: ReturnType<typeof temporaryFolder>
let path: string
let lines: Record<string, unknown>[]
let lost: Error[]

before(() => {
  folder = temporaryFolder()
})
after(() => folder.remove())
beforeEach(() => {
  path = join(folder.path, `${performance.now()}.db`)
  ;[lines, lost] = [[], []]
})

function open(t: TestContext, options: Readonly<{ clearEveryMs?: number; onLost?: () => void }> = {}): Database {
  const log = createLog('debug', { write: (line) => void lines.push(JSON.parse(line)) })
  const onLost = (error: Error) => {
    lost.push(error)
    options.onLost?.()
  }
  const db = openSqlite(path, { background: { log, ...options, onLost } })
  t.after(() => db.close())
  return db
}

function openOnSmallDisk(t: TestContext, megabytes: number) {
  const disk = mountSmallDisk(megabytes)
  t.after(() => disk.remove())
  path = join(disk.path, 'a.db')
  return { disk, db: open(t) }
}

const linesWith = (text: string) => lines.filter(({ msg }) => String(msg).includes(text))
/** Pauses that began less than a second after the one before. */
function earlyPauses() {
  const pauses = linesWith('writes paused').map(({ time, pausedMs, frames }) => ({
    beganMs: Number(time) - Number(pausedMs),
    frames: Number(frames),
  }))
  // The line comes after the pause, on a busy machine later.
  return pauses.filter(({ beganMs }, n) => beganMs - (pauses[n - 1]?.beganMs ?? -Infinity) < 900)
}

const logBytes = () => statSync(`${path}-wal`).size
const createNotes = (db: Database) => sql`create table notes (text text)`.execute(db.query)
/** One transaction of about 250 pages. */
const write = (db: Database) =>
  db.transaction((trx) => sql`insert into notes values (${'x'.repeat(WRITE_BYTES)})`.execute(trx.query))
/** As much as `write`, but the database does not grow. SQLite writes only pages that change. */
const replaceOne = (db: Database) =>
  db.transaction((trx) => {
    const text = ''.padEnd(WRITE_BYTES, `${performance.now()} `)
    return sql`update notes set text = ${text} where rowid = 1`.execute(trx.query)
  })

/** Writes again while the disk is full, for ten seconds at most. */
async function acceptedWrite(db: Database): Promise<void> {
  for (const deadline = performance.now() + 10_000; ;) {
    try {
      return void (await write(db))
    } catch (error) {
      if (!isSqliteFull(error) || performance.now() > deadline) throw error
      await wait(20)
    }
  }
}

const countIn = (file: DatabaseSync) => file.prepare('select count(*) as count from notes').get()?.['count']

async function until(isTrue: () => boolean): Promise<void> {
  for (const deadline = performance.now() + 60_000; !isTrue();) {
    assert.ok(performance.now() < deadline, 'it takes a minute')
    await wait(5)
  }
}

/** Writes until `isTrue`, a minute at most; returns how often. */
async function writeUntil(db: Database, isTrue: (written: number) => boolean): Promise<number> {
  for (let written = 0; ; written += 1) {
    if (isTrue(written)) return written
    assert.ok(written < 1000, 'after a thousand writes it is still not so')
    await write(db)
    await wait(10)
  }
}

test('under constant writes the log starts anew again and again, and nothing is lost', async (t) => {
  const db = open(t)
  await createNotes(db)
  // How far it grows before it starts anew depends on how busy the machine is: compared with all that was written.
  const isSmall = (written: number) => logBytes() < (written * WRITE_BYTES) / 2
  const written = await writeUntil(db, (count) => linesWith('started anew').length >= 3 && isSmall(count))
  assert.ok(written > MANY_WRITES, 'starting anew is rare')
  const early = earlyPauses().filter(({ frames }) => frames < LONG_LOG_FRAMES)
  assert.deepEqual(early, [], 'writes pause once a second, unless the log is long')
  await db.close()
  const file = new DatabaseSync(path)
  assert.equal(countIn(file), written)
  assert.deepEqual({ ...file.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  file.close()
  assert.deepEqual([lost, linesWith('could not')], [[], []])
})

/** As the service sees it; its threads see the disk as it is. */
function simulateSpace(t: TestContext, bytes: number): void {
  const statfs = t.mock.method(fs, 'statfsSync', () => ({ bavail: bytes, bsize: 1 }))
  syncBuiltinESMExports()
  t.after(() => {
    statfs.mock.restore()
    syncBuiltinESMExports()
  })
}

test('with less than a gigabyte free the log stays short, however often writes pause', async (t) => {
  simulateSpace(t, 900e6)
  const db = open(t)
  await createNotes(db)
  await writeUntil(db, () => linesWith('started anew').length >= 3)
  const longest = Math.max(...linesWith('started anew').map(({ frames }) => Number(frames)))
  assert.ok(longest < 12_000, `${longest} frames: with a pause a second, some 20,000 are written in between`)
  assert.deepEqual(lost, [])
})

test('a reader that stays lets the log grow and is reported once; when it ends the log starts anew', async (t) => {
  const db = open(t)
  await createNotes(db)
  const reader = new DatabaseSync(path)
  reader.exec('begin; select * from notes')
  await writeUntil(db, () => linesWith('keeps reading').length > 0)
  const reportedAt = logBytes()
  await writeUntil(db, () => logBytes() > reportedAt + SMALL_LOG_BYTES)
  assert.equal(linesWith('keeps reading').length, 1)
  assert.equal(countIn(reader), 0)
  reader.close()
  const times = linesWith('started anew').length
  await writeUntil(db, () => linesWith('started anew').length > times)
  await db.close()
  assert.deepEqual(lost, [])
})

test('while a reader stays, writes pause once a second at most, with little space too', async (t) => {
  simulateSpace(t, 900e6)
  const db = open(t)
  await createNotes(db)
  const reader = new DatabaseSync(path)
  reader.exec('begin; select * from notes')
  await writeUntil(db, () => linesWith('could not start anew').length >= 4)
  reader.close()
  // A short read is tried again at once.
  assert.ok(earlyPauses().length <= 1, `${earlyPauses().length} of 4 were early`)
  await db.close()
  assert.deepEqual(lost, [])
})

test('on a full disk the database gets the space of a log that was longer', { skip: cannotMount }, async (t) => {
  const { disk, db } = openOnSmallDisk(t, 100)
  await createNotes(db)
  const reader = new DatabaseSync(path)
  reader.exec('begin; select * from notes')
  for (let n = 0; n < MANY_WRITES; n += 1) await write(db)
  reader.close()
  // After two failed attempts the next one comes a second later.
  await wait(1000)
  await writeUntil(db, () => linesWith('started anew').length > 0)
  const longBytes = logBytes()
  assert.ok(longBytes > MANY_WRITES * WRITE_BYTES)
  // The database still takes what was written since.
  disk.fill(4 * 1024)
  const restarts = linesWith('started anew').length
  const lengths = () => linesWith('started anew').map(({ frames }) => Number(frames))
  while (lengths().length < restarts + 2) {
    await replaceOne(db)
    await wait(60)
  }
  assert.ok(Math.max(...lengths().slice(restarts)) < 4000, `it starts anew at each copy: ${lengths().join()}`)
  const { rows } = await sql`select * from notes`.execute(db.query)
  let written = rows.length
  for (const enough = written + MANY_WRITES / 2; written < enough; written += 1) {
    await acceptedWrite(db)
    // Otherwise all go into the log before it is copied.
    await wait(60)
  }
  assert.ok(logBytes() < longBytes / 2, 'the database took it')
  const crashed = join(folder.path, 'crashed.db')
  // The log first: it may be copied into the database meanwhile.
  for (const suffix of ['-wal', '']) copyFileSync(`${path}${suffix}`, `${crashed}${suffix}`)
  await db.close()
  for (const kept of [path, crashed]) {
    const file = new DatabaseSync(kept)
    assert.equal(countIn(file), written)
    assert.deepEqual({ ...file.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    file.close()
  }
  assert.deepEqual(lost, [])
})

test(
  'a log that a reader keeps leaves the database the space it needs when the reader ends',
  { skip: cannotMount },
  async (t) => {
    const { db } = openOnSmallDisk(t, 100)
    await createNotes(db)
    await write(db)
    const reader = new DatabaseSync(path)
    reader.exec('begin; select * from notes')
    const failed = async () => {
      for (let written = 1; ; written += 1) {
        try {
          await write(db)
        } catch (error) {
          return { error, written }
        }
        await wait(10)
      }
    }
    const { error, written } = await failed()
    assert.ok(isSqliteFull(error))
    assert.ok(logBytes() > MANY_WRITES * WRITE_BYTES, 'the reader keeps the log')
    await until(() => linesWith('keeps reading').length > 0)
    await assert.rejects(write(db), isSqliteFull, 'while the reader stays')
    reader.close()
    await acceptedWrite(db)
    await db.close()
    const file = new DatabaseSync(path)
    assert.equal(countIn(file), written + 1)
    assert.deepEqual({ ...file.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    file.close()
    assert.deepEqual(lost, [])
  },
)

test(
  'readers of which always one stays leave a disk to which writes return when the last has ended',
  { skip: cannotMount },
  async (t) => {
    const { db } = openOnSmallDisk(t, 60)
    await createNotes(db)
    let [turn, inserted] = [0, 0]
    const insert = async () => {
      await sql`insert into notes values (${'a'.repeat(3000)})`.execute(db.query)
      inserted += 1
    }
    // Mostly pages that the database has: the log grows, the database hardly.
    const change = () => {
      turn += 1
      if (turn < 50 || turn % 20 === 0) return insert()
      return sql`update notes set text = ${`${turn}`.repeat(500)} where rowid = ${1 + (turn % 50)}`.execute(db.query)
    }
    const newReader = () => {
      const file = new DatabaseSync(path)
      file.exec('begin; select count(*) from notes')
      return file
    }
    let reader = newReader()
    for (let refused = 0; refused < 20;) {
      const next = newReader()
      reader.close()
      reader = next
      for (const endMs = performance.now() + 200; performance.now() < endMs;) {
        const results = await Promise.allSettled(Array.from({ length: 50 }, change))
        if (results.every(({ status }) => status === 'fulfilled')) continue
        refused += 1
        await wait(20)
      }
    }
    reader.close()
    const deadline = performance.now() + 10_000
    for (let isWritten = false; !isWritten;) {
      assert.ok(performance.now() < deadline, 'ten seconds after the last reader writes are still refused')
      isWritten = await insert().then(
        () => true,
        () => false,
      )
      if (!isWritten) await wait(20)
    }
    await db.close()
    const file = new DatabaseSync(path)
    assert.equal(countIn(file), inserted)
    assert.deepEqual({ ...file.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    file.close()
    assert.deepEqual(lost, [])
  },
)

test('space is reserved ahead of the log’s end, so that a full disk is noticed by a write', async (t) => {
  const db = open(t)
  await createNotes(db)
  await until(() => logBytes() >= 500 * FRAME_BYTES)
  await writeUntil(db, () => linesWith('started anew').length === 1)
  await db.close()
  assert.deepEqual(lost, [])
})

for (const [suffix, name] of [
  ['', 'database'],
  ['-wal', 'log'],
  ['-shm', 'log’s index'],
] as const) {
  for (const isReplaced of [true, false]) {
    // Tested below.
    if (suffix === '-wal' && !isReplaced) continue
    test(`a ${name} that was ${isReplaced ? 'replaced' : 'deleted'} ends all acknowledgements within a second or two of writes`, async (t) => {
      const db = open(t)
      await createNotes(db)
      await until(() => logBytes() >= 500 * FRAME_BYTES)
      renameSync(`${path}${suffix}`, `${path}-old`)
      if (isReplaced) writeFileSync(`${path}${suffix}`, 'another')
      const note = () => sql`insert into notes values ('a')`.execute(db.query)
      await assert.rejects(async () => {
        for (let n = 0; n < 1000; n += 1) {
          await note()
          await wait(10)
        }
      })
      assert.match(
        lost.map(({ message }) => message).join(),
        /another program has changed its files: .* was deleted or replaced/,
      )
      await assert.rejects(note())
      await db.close()
    })
  }
}

test('a database that was moved, with a link in its place, ends all acknowledgements: commands use another log', async (t) => {
  const db = open(t)
  await createNotes(db)
  await until(() => logBytes() >= 500 * FRAME_BYTES)
  renameSync(path, `${path}-moved`)
  symlinkSync(`${path}-moved`, path)
  await assert.rejects(async () => {
    for (let n = 0; n < 1000; n += 1) {
      await insertNote(db)
      await wait(10)
    }
  }, DatabaseLostError)
  assert.match(lost.join(), /was deleted or replaced/)
  await db.close()
})

for (const [what, make] of Object.entries<(reserve: string) => void>({
  'made, as without a free descriptor,': (reserve) => symlinkSync(`${reserve}-missing/file`, reserve),
  'completed, as without permission,': (reserve) => mkdirSync(reserve),
})) {
  test(`a reserve that cannot be ${what} is a warning: writes are accepted, and the log starts anew`, async (t) => {
    make(`${path}-reserve`)
    t.after(() => rmSync(`${path}-reserve`, { recursive: true }))
    const db = open(t, { clearEveryMs: 100 })
    await until(() => linesWith('the space for revocations could not be reserved').length > 0)
    await createNotes(db)
    await insertNote(db)
    assert.equal((await db.space())?.isFull, false)
    await until(() => linesWith('started anew').length > 0)
    assert.deepEqual(linesWith('could not be checkpointed'), [])
    await db.close()
    assert.deepEqual(lost, [])
  })
}

for (const [when, { isEnding = false, hasReader = false, also = () => {} }] of Object.entries<
  Readonly<{ isEnding?: boolean; hasReader?: boolean; also?: () => void }>
>({
  'while it is written': {},
  'while it is written and another process reads': { hasReader: true },
  'just before the end': { isEnding: true },
  'with its index': { also: () => rmSync(`${path}-shm`) },
  'just before a command opened the database': {
    also() {
      const file = new DatabaseSync(path)
      assert.throws(() => file.exec('select * from notes'))
      file.close()
      assert.equal(logBytes(), 0)
    },
  },
})) {
  test(`a log that was deleted ${when} is written again, so nothing acknowledged is lost`, async (t) => {
    let acknowledged = 0
    const found = `${path}-found`
    const db = open(t, {
      onLost() {
        for (const end of ['', '-wal']) copyFileSync(path + end, found + end)
      },
    })
    await createNotes(db)
    const note = async () => {
      await insertNote(db)
      acknowledged += 1
    }
    await until(() => logBytes() >= 500 * FRAME_BYTES)
    for (let n = 0; n < 50; n += 1) await note()
    // Of an older state, so that only some pages can be copied.
    const reader = new DatabaseSync(path)
    if (hasReader) reader.exec('begin; select 1 from notes')
    for (let n = 0; n < 50; n += 1) await note()
    renameSync(`${path}-wal`, `${path}-old`)
    also()
    if (!isEnding)
      await assert.rejects(async () => {
        for (let n = 0; n < 1000; n += 1) {
          await note()
          await wait(10)
        }
      }, DatabaseLostError)
    await db.close()
    reader.close()
    assert.match(lost.join(), /-wal was deleted, and has been written again: nothing is lost/)
    const file = new DatabaseSync(found)
    const count = Number(countIn(file))
    assert.ok(count >= acknowledged && acknowledged >= 100, `${count} of ${acknowledged}`)
    assert.deepEqual({ ...file.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
    file.close()
  })
}

test('a log that was deleted on a full disk is written again into the reserve', { skip: cannotMount }, async (t) => {
  const { db, disk } = openOnSmallDisk(t, 60)
  await createNotes(db)
  await until(() => logBytes() >= 500 * FRAME_BYTES && reserveStateOf(path) === 'whole')
  for (let n = 0; n < 50; n += 1) await insertNote(db)
  disk.fill()
  renameSync(`${path}-wal`, `${path}-old`)
  while (lost.length === 0) {
    await insertNote(db).catch(() => {})
    await wait(10)
  }
  assert.match(lost.join(), /-wal was deleted, and has been written again: nothing is lost/)
  await db.close()
})

test('a log that was deleted while another process has the write lock is written again at the end', async (t) => {
  const db = open(t)
  await createNotes(db)
  await until(() => logBytes() >= 500 * FRAME_BYTES)
  await insertNote(db)
  const writer = new DatabaseSync(path)
  writer.exec('begin immediate')
  renameSync(`${path}-wal`, `${path}-old`)
  const closed = db.close()
  await until(() => linesWith('could not be checkpointed').length > 0)
  assert.match(
    JSON.stringify(linesWith('could not be checkpointed')),
    /-wal was deleted, and cannot be written again yet/,
  )
  writer.exec('rollback')
  await closed
  writer.close()
  assert.match(lost.join(), /-wal was deleted, and has been written again: nothing is lost/)
})

test('what a kill left of a log that was being written again is removed at the next start', async (t) => {
  writeFileSync(`${path}-wal-again`, 'a part of the log')
  const db = open(t)
  await until(() => statSync(`${path}-wal-again`, { throwIfNoEntry: false }) === undefined)
  await db.close()
})

test('files that were deleted are noticed without a write too', async (t) => {
  const db = open(t, { clearEveryMs: 100 })
  await createNotes(db)
  await until(() => logBytes() >= 500 * FRAME_BYTES)
  renameSync(`${path}-shm`, `${path}-old`)
  await until(() => lost.length > 0)
  assert.match(lost.join(), /-shm was deleted or replaced/)
  await db.close()
})

const insertNote = (db: Database) => sql`insert into notes values (${'a'.repeat(3000)})`.execute(db.query)
const cutLog = (frames: number) => truncateSync(`${path}-wal`, LOG_HEADER_BYTES + frames * FRAME_BYTES)

/** Returns how many frames there were when the files were last looked at; no commit came since. */
async function writeUntilLooked(db: Database): Promise<number> {
  await createNotes(db)
  await until(() => logBytes() >= 500 * FRAME_BYTES)
  // Stays open: closing it would release SQLite's locks.
  const index = openSync(`${path}-shm`, 'r')
  for (let n = 0; n < 50; n += 1) await insertNote(db)
  // The files are looked at once a second.
  await wait(1200)
  await insertNote(db)
  await wait(200)
  return countFrames(index)
}

/** As the next start finds it: without the process, and with a log of its own. */
function assertWholeWithoutLog(): void {
  const found = `${path}-found`
  copyFileSync(path, found)
  const file = new DatabaseSync(found)
  assert.deepEqual({ ...file.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  file.close()
}

type Cut = Readonly<{ notesSinceLook: number; keptFrames: (looked: number) => number }>
const cuts: Readonly<Record<string, Cut>> = {
  emptied: { notesSinceLook: 20, keptFrames: () => 0 },
  cut: { notesSinceLook: 20, keptFrames: () => 40 },
  'cut behind what was last looked at': { notesSinceLook: 20, keptFrames: (looked) => looked + 3 },
  'cut through its newest frame': { notesSinceLook: 0, keptFrames: (looked) => looked - 0.5 },
}
for (const [what, { notesSinceLook, keptFrames }] of Object.entries(cuts)) {
  test(`a log that was ${what} ends all acknowledgements, and the database is whole without it`, async (t) => {
    const db = open(t)
    const looked = await writeUntilLooked(db)
    for (let n = 0; n < notesSinceLook; n += 1) await insertNote(db)
    cutLog(keptFrames(looked))
    await assert.rejects(async () => {
      for (let n = 0; n < 1000; n += 1) {
        await insertNote(db)
        await wait(10)
      }
    })
    await until(() => lost.length > 0)
    assert.match(
      lost.map(({ message }) => message).join(),
      /another program has changed its files: .*-wal was emptied, cut or overwritten/,
    )
    await assert.rejects(insertNote(db))
    assertWholeWithoutLog()
  })
}

for (const notesSinceCut of [0, 1]) {
  test(`a log that was emptied just before the end is not copied into the database: ${notesSinceCut} writes since`, async (t) => {
    const db = open(t, { onLost: assertWholeWithoutLog })
    await writeUntilLooked(db)
    cutLog(0)
    for (let n = 0; n < notesSinceCut; n += 1) await insertNote(db)
    assert.deepEqual(lost, [])
    await db.close()
    assert.match(lost.join(), /-wal was emptied, cut or overwritten/)
  })
}

test('a log that is cut through its newest frame before that is looked at, just before the end, is not copied', async (t) => {
  const db = open(t, { onLost: assertWholeWithoutLog })
  await writeUntilLooked(db)
  // Stays open, as in `writeUntilLooked`.
  const index = openSync(`${path}-shm`, 'r')
  await insertNote(db)
  cutLog(countFrames(index) - 0.9)
  await db.close()
  assert.match(lost.join(), /-wal was emptied, cut or overwritten/)
})

test('another process that checkpoints and truncates the log itself is no reason to end', async (t) => {
  const db = open(t)
  await createNotes(db)
  const other = new DatabaseSync(path, { timeout: 1000 })
  let truncations = 0
  for (let n = 0; n < 200; n += 1) {
    await sql`insert into notes values ('a')`.execute(db.query)
    const { busy } = other.prepare('pragma wal_checkpoint(truncate)').get() as { busy: number }
    if (busy === 0) truncations += 1
  }
  await wait(100)
  other.close()
  assert.deepEqual(lost, [])
  assert.ok(truncations > 50, `${truncations} truncations`)
})

test('what another process left in the log is in the database before a service has started', async (t) => {
  const crashed = new DatabaseSync(path)
  crashed.exec('pragma journal_mode = wal; create table notes (text); insert into notes values (1)')
  const [from, to] = [path, join(folder.path, 'crashed.db')]
  for (const end of ['', '-wal']) copyFileSync(`${from}${end}`, `${to}${end}`)
  crashed.close()
  path = to
  const db = open(t)
  const alone = join(folder.path, 'alone.db')
  copyFileSync(path, alone)
  const file = new DatabaseSync(alone, { readOnly: true })
  assert.equal(countIn(file), 1)
  file.close()
  await db.close()
})

test('while another process needs the log it is written once more in place, and the service starts', async (t) => {
  const other = new DatabaseSync(path)
  other.exec('pragma journal_mode = wal; create table notes (text); insert into notes values (1)')
  const reader = new DatabaseSync(path)
  reader.exec('begin; select * from notes')
  other.exec('insert into notes values (2)')
  const count = countIn(other)
  const inMemory = logBytes()
  const writes = t.mock.method(fs, 'writeSync')
  syncBuiltinESMExports()
  const db = open(t)
  writes.mock.restore()
  syncBuiltinESMExports()
  const written = writes.mock.calls.map(({ arguments: [, , ...range] }) => range as unknown)
  assert.deepEqual(written, [[0, inMemory, 0]], 'every byte of the log is written once more')
  const { rows } = await sql`select * from notes`.execute(db.query)
  assert.equal(rows.length, count)
  reader.close()
  await write(db)
  assert.equal(countIn(other), 3)
  other.close()
  await db.close()
  assert.deepEqual(lost, [])
})

test('a full thread pool delays no commit', async (t) => {
  const db = open(t)
  await createNotes(db)
  // Opening a pipe without a writer occupies a thread. The pool has four, as libuv's default.
  const pipes = Array.from({ length: 8 }, (_, n) => join(folder.path, `pipe-${n}`))
  execFileSync('mkfifo', pipes)
  const opened = pipes.map((pipe) => fs.promises.open(pipe, 'r'))
  let isOpened = false
  void Promise.race(opened).then(() => (isOpened = true))
  let isWritten = false
  void write(db).then(() => (isWritten = true))
  await until(() => isWritten)
  assert.ok(!isOpened, 'the pool was full meanwhile')
  // Opened for both directions, a pipe waits for nobody, and its reader goes on.
  const writers = pipes.map((pipe) => fs.openSync(pipe, constants.O_RDWR))
  for (const reader of await Promise.all(opened)) await reader.close()
  for (const writer of writers) fs.closeSync(writer)
})
