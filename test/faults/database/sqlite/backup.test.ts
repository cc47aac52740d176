/** A backup that fails leaves nothing. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
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

test('a file or a dangling link in its place is named, also one that appears meanwhile, and stays as it is', async (t) => {
  const database = await openNewDatabase()
  t.after(() => database.close())
  const { rows } = await sql<{ file: string }>`pragma database_list`.execute(database.db.query)
  const refused = (target: string, onStep: (step: string) => void) => {
    assert.throws(() => backUp(rows[0]?.file ?? '', target, onStep), { code: 'EEXIST', path: target })
    assert.equal(existsSync(`${target}.part`), false)
  }
  const [file, link] = [join(folder.path, 'backup'), join(folder.path, 'link')]
  refused(file, (step) => step === 'checking' && writeFileSync(file, 'mine'))
  assert.equal(readFileSync(file, 'utf8'), 'mine')
  refused(link, (step) => step === 'checking' && symlinkSync('nowhere', link))
  refused(link, () => assert.fail('it is refused before it is copied'))
  assert.equal(readlinkSync(link), 'nowhere')
})
