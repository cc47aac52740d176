/** A backup that fails leaves nothing. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { backUp } from '../../../../src/database/sqlite/backup.ts'
import { openNewDatabase } from '../../../support/database/database.ts'
import { cannotMount, mountSmallDisk } from '../../../support/database/small-disk.ts'
import { temporaryFolder } from '../../../support/files.ts'

let folder: ReturnType<typeof temporaryFolder>
before(() => {
  folder = temporaryFolder()
})
after(() => folder.remove())

test('a backup to a full disk leaves no file there', { skip: cannotMount }, (t) => {
  const path = join(folder.path, 'a.db')
  const file = new DatabaseSync(path)
  file.exec('create table notes (text); insert into notes values (randomblob(3000000))')
  file.close()
  const disk = mountSmallDisk(1)
  t.after(() => disk.remove())
  disk.fill(16)
  assert.throws(() => backUp(path, join(disk.path, 'backup'), () => {}), /full/)
  assert.deepEqual(readdirSync(disk.path), [])
})

test('a file that appears meanwhile is named, and stays as it is', async (t) => {
  const database = await openNewDatabase()
  t.after(() => database.close())
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(database.db.query)
  const target = join(folder.path, 'backup')
  const appear = (step: string) => step === 'checking' && writeFileSync(target, 'mine')
  assert.throws(() => backUp(rows[0]?.file ?? '', target, appear), { code: 'EEXIST', path: target })
  assert.equal(readFileSync(target, 'utf8'), 'mine')
  assert.equal(existsSync(`${target}.part`), false)
})
