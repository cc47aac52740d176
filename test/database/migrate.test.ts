import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Migrator } from 'kysely/migration'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import type { Database } from '../../src/database/database.ts'
import { openSqlite } from '../../src/database/sqlite/sqlite-database.ts'
import { compareSchema, migrate, NewerSchemaError } from '../../src/database/migrate.ts'
import { temporaryFolder } from '../support/files.ts'
import { schemaOf } from '../support/database/schema.ts'

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

function addUser(to: QueryExecutorProvider, tokenVersion: number) {
  return sql`
    insert into users (id, email, role, token_version, created_at_ms)
    values ('1', 'ana@example.com', 'USER', ${tokenVersion}, 1)
  `.execute(to)
}

test('a new database gets every migration, in order', async () => {
  const applied = await migrate(db)
  assert.equal(applied[0], '0001-accounts')
  assert.deepEqual(applied, applied.toSorted())
  const tables = new Set((await db.kysely.introspection.getTables()).map(({ name }) => name))
  for (const table of ['users', 'api_keys', 'magic_links', 'queued_mails']) {
    assert.ok(tables.has(table), table)
  }
})

test('a second run applies nothing and reports so', async () => {
  await migrate(db)
  const first = schemaOf(path)
  assert.deepEqual(await migrate(db), [])
  assert.deepEqual(schemaOf(path), first)
})

test('existing rows are unchanged', async () => {
  await migrate(db)
  await addUser(db.query, 3)
  await migrate(db)
  const { rows } = await sql<{ token_version: number }>`select * from users`.execute(db.query)
  assert.deepEqual(
    rows.map((row) => row.token_version),
    [3],
  )
})

/** Simulates a migration by a newer version. */
async function comeFromTheFuture(migration: string): Promise<void> {
  await sql`create table of_the_future (id text)`.execute(db.query)
  await sql`insert into kysely_migration (name, timestamp) values (${migration}, '2030-01-01')`.execute(db.query)
}

test('a database to which a newer version has only added is served, and left unchanged', async () => {
  await migrate(db)
  await comeFromTheFuture('9999-future')
  const found = schemaOf(path)
  assert.deepEqual(await migrate(db), [])
  assert.deepEqual(schemaOf(path), found)
})

test('a database with unknown migrations and missing ones is refused and left unchanged', async () => {
  await migrate(db)
  await comeFromTheFuture('9999-future')
  await sql`delete from kysely_migration where name like '0005-%'`.execute(db.query)
  const found = schemaOf(path)
  await assert.rejects(migrate(db), NewerSchemaError)
  assert.deepEqual(schemaOf(path), found)
})

for (const name of ['9999-drop-past', '9999-strict-future']) {
  test(`a database after ${name}, which ends older versions, is refused by name and left unchanged`, async () => {
    await migrate(db)
    await comeFromTheFuture(name)
    const found = schemaOf(path)
    await assert.rejects(migrate(db), (error: unknown) => {
      assert.ok(error instanceof NewerSchemaError)
      assert.match(error.message, new RegExp(name))
      return true
    })
    assert.deepEqual(schemaOf(path), found)
  })
}

test('a migration that fails half-way leaves nothing, and is not recorded as applied', async () => {
  await migrate(db)
  const found = schemaOf(path)
  const migrator = new Migrator({
    db: db.kysely,
    provider: {
      getMigrations: async () => ({
        ...Object.fromEntries(compareSchema([]).missing.map((name) => [name, { up: async () => {} }])),
        '9998-fails': {
          async up(trx) {
            await sql`create table half_done (id text)`.execute(trx)
            await addUser(trx, 0)
            await sql`drop table magic_links`.execute(trx)
            await sql`create table users (id text)`.execute(trx)
          },
        },
      }),
    },
  })
  const { error } = await migrator.migrateToLatest()
  assert.match(String(error), /already exists/)
  assert.deepEqual(schemaOf(path), found)
  assert.deepEqual((await sql`select * from users`.execute(db.query)).rows, [])
})
