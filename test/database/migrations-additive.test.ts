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
    'a dropped index': (db) => db.schema.dropIndex('api_keys_by_user_created').execute(),
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
      await db.schema.dropIndex('api_keys_by_user_created').execute()
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

type Table = Readonly<{ name: string; columns: readonly Column[] }>

test('after each migration and all later ones, the rows of the version before are unchanged and its inserts still work', async () => {
  await withDatabase(async (db) => {
    const anyTable = db.kysely as Kysely<any>
    const write = async (tables: readonly Table[], tag: string) => {
      for (const { name: table, columns } of tables) {
        await anyTable
          .insertInto(table)
          .values(rowOf(columns, `${tag}-whole`))
          .execute()
        // The first is the primary key, which SQLite reports as nullable.
        const needed = columns.filter(({ isNullable }, at) => at === 0 || !isNullable)
        await anyTable
          .insertInto(table)
          .values(rowOf(needed, `${tag}-least`))
          .execute()
      }
    }
    /** The rows of this tag and version, by its columns. */
    const read = (tables: readonly Table[], tag: string) =>
      Promise.all(
        tables.map(({ name: table, columns: [key, ...others] }) =>
          anyTable
            .selectFrom(table)
            .select([key, ...others].map((column) => column?.name ?? ''))
            .where(key?.name ?? '', 'in', [`${tag}-whole`, `${tag}-least`])
            .orderBy(key?.name ?? '')
            .execute(),
        ),
      )
    const versions: { name: string; tables: readonly Table[]; rows: unknown }[] = []
    for (const name of names.slice(0, -1)) {
      await migrateTo(db, name)
      const found = await db.kysely.introspection.getTables()
      const tables = found.toSorted((a, b) => Number(b.name === 'users') - Number(a.name === 'users'))
      await write(tables, name)
      const rows = await read(tables, name)
      assert.ok(rows.length > 0 && rows.every(({ length }) => length === 2), name)
      versions.push({ name, tables, rows })
    }
    await migrate(db)
    for (const { name, tables, rows } of versions) {
      assert.deepEqual(await read(tables, name), rows, name)
      await write(tables, `${name}-after`)
      assert.ok(
        (await read(tables, `${name}-after`)).every(({ length }) => length === 2),
        name,
      )
      const tags = [name, `${name}-after`].flatMap((tag) => [`${tag}-whole`, `${tag}-least`])
      for (const { name: table, columns } of tables.toReversed()) {
        const { numDeletedRows } = await anyTable
          .deleteFrom(table)
          .where(columns[0]?.name ?? '', 'in', tags)
          .executeTakeFirstOrThrow()
        assert.equal(numDeletedRows, 4n, `${name}: ${table}`)
      }
    }
  })
})
