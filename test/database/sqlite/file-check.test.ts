import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { migrate } from '../../../src/database/migrate.ts'
import { checkFileInUse } from '../../../src/database/sqlite/file-check.ts'
import { openSqlite } from '../../../src/database/sqlite/sqlite-database.ts'
import { temporaryFolder } from '../../support/files.ts'

test('only the deep check follows foreign keys; both pass a sound file', async (t) => {
  const folder = temporaryFolder()
  t.after(() => folder.remove())
  const path = join(folder.path, 'test.db')
  const db = openSqlite(path)
  await migrate(db)
  await db.close()
  checkFileInUse(path, false)
  checkFileInUse(path, true)

  const file = new DatabaseSync(path, { enableForeignKeyConstraints: false })
  file.exec(
    "insert into identities values ('https://issuer.example', 'a-subject', 'nobody', 'ana@example.com', 1, 's')",
  )
  file.close()
  checkFileInUse(path, false)
  assert.throws(() => checkFileInUse(path, true), { message: /rows refer to rows that do not exist/ })
})
