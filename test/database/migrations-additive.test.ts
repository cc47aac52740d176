/** Migrations only add: during and after one, the previous version can read and write. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Migration } from 'kysely/migration'
import { migrate, migrations } from '../../src/database/migrate.ts'
import type { Database } from '../../src/database/database.ts'
import { incompatibleStatements, statementsOf } from '../support/database/additive-migrations.ts'
import { openNewDatabase } from '../support/database/database.ts'

const folder = new URL('../../src/database/migrations/', import.meta.url)
const names = Object.keys(migrations)

async function withDatabase(work: (db: Database) => Promise<void>): Promise<void> {
  const { db, close } = await openNewDatabase('empty')
  await work(db).finally(close)
}

async function migrateTo(db: Database, name: string): Promise<void> {
  const migrator = new Migrator({ db: db.kysely, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error } = await migrator.migrateTo(name)
  assert.equal(error, undefined)
}

test('every migration file is applied in order, and none has a downgrade', () => {
  const files = readdirSync(folder).toSorted()
  assert.deepEqual(
    names.map((name) => `${name}.ts`),
    files,
  )
  for (const [index, file] of files.entries()) {
    assert.match(file, new RegExp(`^${String(index + 1).padStart(4, '0')}-[a-z-]+\\.ts$`))
    assert.doesNotMatch(
      readFileSync(new URL(file, folder), 'utf8'),
      /\bdown\b|\bdrop(?!Index)|\brename|\bmodifyColumn|\balterColumn/,
    )
  }
  assert.ok(Object.values(migrations).every((migration) => migration.down === undefined))
})

test('every migration but the first only creates tables, non-unique indexes and optional columns', async () => {
  await withDatabase(async (db) => {
    await migrateTo(db, names[0] ?? '')
    for (const name of names.slice(1)) {
      const statements = await statementsOf(db, (trx) => (migrations[name] as Migration).up(trx))
      assert.ok(statements.length > 0)
      const harm = incompatibleStatements(statements)
      // Only what the previous release has stopped using.
      const isDrop = (statement: string) => /^(drop index|drop table|alter table "\w+" drop column) /.test(statement)
      assert.deepEqual(
        /^\d{4}-drop-/.test(name) ? statements.filter((statement) => !isDrop(statement)) : harm,
        [],
        name,
      )
    }
  })
})

describe('the check refuses', () => {
  const planted: Record<string, Migration['up']> = {
    'a dropped table': (db) => db.schema.dropTable('key_makers').execute(),
    'a renamed table': (db) => db.schema.alterTable('users').renameTo('people').execute(),
    'a dropped column': (db) => db.schema.alterTable('users').dropColumn('locale').execute(),
    'a renamed column': (db) => db.schema.alterTable('users').renameColumn('name', 'display_name').execute(),
    'a column of another type': (db) =>
      db.schema
        .alterTable('users')
        .alterColumn('name', (column) => column.setDataType('integer'))
        .execute(),
    'a column that becomes not null': (db) =>
      db.schema
        .alterTable('users')
        .alterColumn('name', (column) => column.setNotNull())
        .execute(),
    'a new column that needs a value': (db) =>
      db.schema
        .alterTable('users')
        .addColumn('region', 'text', (column) => column.notNull())
        .execute(),
    'a new column that must be unique': (db) =>
      db.schema
        .alterTable('users')
        .addColumn('region', 'text', (column) => column.unique())
        .execute(),
    'a new column with a foreign key': (db) =>
      db.schema
        .alterTable('key_makers')
        .addColumn('api_key_id', 'text', (column) => column.references('api_keys.id'))
        .execute(),
    'a new unique index on an existing table': (db) =>
      db.schema.createIndex('once').on('users').column('name').unique().execute(),
    'a new table whose references prevent deletions by the previous version': (db) =>
      db.schema
        .createTable('uses')
        .addColumn('key', 'text', (column) => column.references('api_keys.id'))
        .execute(),
    'a dropped index': (db) => db.schema.dropIndex('api_keys_by_user').execute(),
    'a changed row': (db) => sql`update users set role = 'MEMBER'`.execute(db) as unknown as Promise<void>,
    'raw SQL': (db) => sql`drop table if exists mail_pauses`.execute(db) as unknown as Promise<void>,
  }
  const fine: Record<string, Migration['up']> = {
    'a new column with a default': (db) =>
      db.schema
        .alterTable('users')
        .addColumn('region', 'text', (column) => column.notNull().defaultTo('eu'))
        .execute(),
    'a unique index on a new table': async (db) => {
      await db.schema.createTable('tags').addColumn('name', 'text').execute()
      await db.schema.createIndex('tags_once').on('tags').column('name').unique().execute()
    },
    'an index in place of another': async (db) => {
      await db.schema.createIndex('api_keys_by_owner').on('api_keys').columns(['user_id', 'id']).execute()
      await db.schema.dropIndex('api_keys_by_user').execute()
    },
  }

  test('exactly the planted statements', async () => {
    await withDatabase(async (db) => {
      await migrate(db)
      for (const [what, up] of Object.entries(planted)) {
        const harm = incompatibleStatements(await statementsOf(db, up))
        assert.notEqual(harm.filter((statement) => !statement.startsWith('-- failed')).length, 0, what)
      }
    })
    await withDatabase(async (db) => {
      await migrate(db)
      for (const [what, up] of Object.entries(fine))
        assert.deepEqual(incompatibleStatements(await statementsOf(db, up)), [], what)
    })
  })
})

type Column = Readonly<{ name: string; dataType: string; isNullable: boolean }>

/** A row of these columns in which every text is the tag, so that references between tables resolve. */
const rowOf = (columns: readonly Column[], tag: string) =>
  Object.fromEntries(columns.map(({ name, dataType }) => [name, /text/i.test(dataType) ? tag : 1]))

for (const [index, name] of names.slice(0, -1).entries()) {
  test(`after ${names[index + 1]} and all later migrations, rows of ${name} are unchanged and its inserts still work`, async () => {
    await withDatabase(async (db) => {
      await migrateTo(db, name)
      const tables = await db.kysely.introspection.getTables()
      const inOrder = tables.toSorted((a, b) => Number(b.name === 'users') - Number(a.name === 'users'))
      const read = () =>
        Promise.all(
          inOrder.map((table) =>
            (db.kysely as Kysely<any>)
              .selectFrom(table.name)
              .select(table.columns.map((column) => column.name))
              .execute(),
          ),
        )
      const write = async (tag: string) => {
        for (const { name: table, columns } of inOrder) {
          await (db.kysely as Kysely<any>)
            .insertInto(table)
            .values(rowOf(columns, `${tag}-whole`))
            .execute()
          // The first is the primary key, which SQLite reports as nullable.
          const needed = columns.filter(({ isNullable }, at) => at === 0 || !isNullable)
          await (db.kysely as Kysely<any>)
            .insertInto(table)
            .values(rowOf(needed, `${tag}-least`))
            .execute()
        }
      }
      await write('before')
      const before = await read()
      await migrate(db)
      assert.deepEqual(await read(), before)
      await write('after')
      assert.deepEqual(
        (await read()).map((rows) => rows.length),
        before.map((rows) => rows.length * 2),
      )
      for (const { name: table } of inOrder.toReversed()) await (db.kysely as Kysely<any>).deleteFrom(table).execute()
    })
  })
}
