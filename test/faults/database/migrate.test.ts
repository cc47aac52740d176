import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import type { Database } from '../../../src/database/database.ts'
import { openSqlite } from '../../../src/database/sqlite/sqlite-database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { temporaryFolder } from '../../support/files.ts'
import { schemaOf } from '../../support/database/schema.ts'
import { runCli } from '../../support/process/process.ts'

let folder: ReturnType<typeof temporaryFolder>
let path: string
let db: Database
before(() => {
  folder = temporaryFolder()
})
after(() => folder.remove())
beforeEach(() => {
  path = join(folder.path, `data-${performance.now()}`, 'paylink-auth.db')
  db = openSqlite(path)
})
afterEach(() => db.close())

const JWT_SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'

for (const name of ['9999-drop-past', '9999-strict-future']) {
  test(`a database after ${name}, which excludes older versions, prevents the start: exit code 1, one line, no listener`, async () => {
    await migrate(db)
    await sql`insert into kysely_migration (name, timestamp) values (${name}, '2030-01-01')`.execute(db.query)
    const env = { DATABASE_URL: `sqlite:${path}`, DATA_DIR: folder.path, JWT_SECRET }
    const found = readFileSync(path)
    const { code, output } = await runCli(['serve'], { cwd: folder.path, env }).exited
    assert.equal(code, 1)
    assert.match(output, new RegExp(`too old for the data.*${name}`))
    assert.doesNotMatch(output, /listening|^\s+at /m)
    assert.deepEqual(readFileSync(path), found)
  })
}

test('processes that migrate one new file at once all succeed, and each migration is applied once', async () => {
  const data = join(folder.path, `together-${performance.now()}`)
  const options = { cwd: folder.path, env: { DATA_DIR: data, JWT_SECRET } }
  const results = await Promise.all(Array.from({ length: 3 }, () => runCli(['migrate'], options).exited))
  const outputs = results.map(({ output }) => output)
  assert.deepEqual(
    results.map(({ code }) => code),
    [0, 0, 0],
    outputs.join('\n'),
  )
  const appliedBy = outputs.filter((output) => output.includes('0001-accounts'))
  assert.equal(appliedBy.length, 1)
  await migrate(db)
  const { schema, applied } = schemaOf(join(data, 'paylink-auth.db'))
  assert.deepEqual(schema, schemaOf(path).schema)
  assert.deepEqual(
    applied.map(({ name }) => name),
    schemaOf(path).applied.map(({ name }) => name),
  )
})
