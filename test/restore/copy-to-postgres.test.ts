import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, test } from 'node:test'
import { copiedTables } from '../../src/restore/copy-to-postgres.ts'
import { migrate } from '../../src/database/migrate.ts'
import { openSqlite } from '../../src/database/sqlite/sqlite-database.ts'
import { temporaryFolder } from '../support/files.ts'

describe('the copied tables', () => {
  const folder = temporaryFolder()
  let file: DatabaseSync
  before(async () => {
    const path = join(folder.path, 'data.db')
    const db = openSqlite(path)
    await migrate(db)
    await db.close()
    file = new DatabaseSync(path, { readOnly: true })
  })
  after(() => {
    file.close()
    folder.remove()
  })

  test('are all tables that the migrations create, so that a new one cannot be forgotten', () => {
    const made = file
      .prepare(`select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'`)
      .all()
    const names = made.map(({ name }) => String(name)).filter((name) => !name.startsWith('kysely_'))
    assert.ok(names.length > 9)
    assert.deepEqual(copiedTables.toSorted(), names.toSorted())
  })

  test('come after every table that they refer to', () => {
    const references = copiedTables.flatMap((table) =>
      file
        .prepare(`select "table" as other from pragma_foreign_key_list('${table}')`)
        .all()
        .map(({ other }) => [table, String(other)] as const),
    )
    assert.ok(references.length > 3)
    for (const [table, other] of references) {
      assert.ok(
        copiedTables.findIndex((name) => name === other) < copiedTables.indexOf(table),
        `${table} refers to ${other}`,
      )
    }
  })
})
