import assert from 'node:assert/strict'
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { isCutLog } from '../../../../src/database/sqlite/log/cut-log.ts'
import { temporaryFolder } from '../../../support/files.ts'

const HEADER = 32
const FRAME = 24 + 4096
/** In the database; more follow in the log. */
const COPIED = 40

describe('the write-ahead log of a process that was killed', () => {
  const root = temporaryFolder()
  const killed = join(root.path, 'killed')
  const files = ['', '-wal', '-shm']
  after(() => root.remove())

  before(() => {
    const path = join(root.path, 'live')
    const file = new DatabaseSync(path)
    file.exec('pragma journal_mode = wal; pragma wal_autocheckpoint = 0; create table t (n integer, text text)')
    const insert = file.prepare('insert into t values (?, ?)')
    const framesOf = () => (statSync(`${path}-wal`).size - HEADER) / FRAME
    for (let n = 0; framesOf() < COPIED; n += 1) insert.run(n, 'x'.repeat(500))
    // Keeps the log from starting anew.
    const reader = new DatabaseSync(path)
    reader.exec('begin; select 1 from t')
    const { checkpointed } = file.prepare('pragma wal_checkpoint(passive)').get() as { checkpointed: number }
    assert.equal(checkpointed, COPIED)
    for (let n = 0; n < 5; n += 1) insert.run(n, 'later')
    for (const end of files) copyFileSync(path + end, killed + end)
    for (const open of [reader, file]) open.close()
  })

  let copies = 0
  function copy(): string {
    const path = join(root.path, `copy-${(copies += 1)}`)
    for (const end of files) copyFileSync(killed + end, path + end)
    return path
  }
  const cutTo = (path: string, frames: number) => truncateSync(`${path}-wal`, HEADER + frames * FRAME)
  function flip(path: string, at: number): void {
    const bytes = readFileSync(`${path}-wal`)
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at)
    writeFileSync(`${path}-wal`, bytes)
  }
  const rowsOf = (path: string): number => {
    const file = new DatabaseSync(path)
    const { rows } = file.prepare('select count(*) as rows from t').get() as { rows: number }
    file.close()
    return rows
  }

  const cuts: Record<string, (path: string) => void> = {
    'that was cut before what was copied': (path) => cutTo(path, COPIED / 2),
    'that lacks the last copied frame': (path) => cutTo(path, COPIED - 1),
    'that was cut in the last copied frame': (path) =>
      truncateSync(`${path}-wal`, HEADER + (COPIED - 1) * FRAME + 2000),
    'with a changed bit in a copied page': (path) => flip(path, HEADER + 20 * FRAME + 1000),
    'with a changed bit in the salt of a copied frame': (path) => flip(path, HEADER + 20 * FRAME + 9),
  }
  for (const [what, cut] of Object.entries(cuts)) {
    test(`${what} is known as cut, and the database has lost rows if it is opened`, () => {
      const path = copy()
      cut(path)
      assert.equal(isCutLog(path), true)
      assert.ok(rowsOf(path) < rowsOf(copy()))
    })
  }

  const others: Record<string, (path: string) => void> = {
    'that is whole': () => {},
    'that lacks only what was not copied': (path) => cutTo(path, COPIED),
    'with a changed bit behind what was copied': (path) => flip(path, HEADER + COPIED * FRAME + 1000),
    'that is empty': (path) => truncateSync(`${path}-wal`, 0),
    'that has only its header': (path) => cutTo(path, 0),
    'with a page size that SQLite does not know': (path) => flip(path, 8),
    'that is missing': (path) => rmSync(`${path}-wal`),
    'whose index is missing': (path) => rmSync(`${path}-shm`),
    'whose index is empty': (path) => truncateSync(`${path}-shm`, 0),
    'with the index of another log': (path) => flip(path, 17),
  }
  for (const [what, change] of Object.entries(others)) {
    test(`${what} is not known as cut, and the database is as it was copied, or newer`, () => {
      const path = copy()
      change(path)
      assert.equal(isCutLog(path), false)
      const alone = copy()
      rmSync(`${alone}-wal`)
      rmSync(`${alone}-shm`)
      assert.ok(rowsOf(path) >= rowsOf(alone))
    })
  }

  test('that another process starts anew meanwhile is never known as cut', () => {
    mkdirSync(join(root.path, 'used'))
    const path = join(root.path, 'used/file')
    const file = new DatabaseSync(path)
    file.exec('pragma journal_mode = wal; create table t (text text)')
    for (let n = 0; n < 300; n += 1) {
      file.exec(`insert into t values (hex(zeroblob(${(n * 997) % 20_000})))`)
      if (n % 7 === 0) file.exec(`pragma wal_checkpoint(${n % 2 === 0 ? 'passive' : 'restart'})`)
      if (n % 41 === 0) file.exec('pragma wal_checkpoint(truncate)')
      assert.equal(isCutLog(path), false)
    }
    file.close()
  })
})
