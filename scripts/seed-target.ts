/** Bulk inserts of seeded rows into either database. */
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue } from 'node:sqlite'
import { Client } from 'pg'
import type { Config } from '../src/config/settings.ts'
import { migrate } from '../src/database/migrate.ts'
import { MIGRATION_LIMITS, openDatabase } from '../src/database/open.ts'
import { createLog } from '../src/lib/log.ts'

/** All rows have the same columns. */
export type Rows = readonly Readonly<Record<string, SQLInputValue>>[]

/** Null: unknown. */
export type TableSize = Readonly<{ table: string; rows: number; tableBytes: number | null; indexBytes: number | null }>

export type SeedTarget = Readonly<{
  isEmpty(table: string): Promise<boolean>
  /** All rows or none. */
  write(table: string, rows: Rows): Promise<void>
  /** Makes the rows durable and updates the planner's statistics. */
  finish(): Promise<void>
  sizeOf(table: string): Promise<TableSize>
  close(): Promise<void>
}>

/** Opens and migrates a database. */
export async function openTarget(database: Config['database']): Promise<SeedTarget> {
  const db = openDatabase({ database, databasePoolSize: 1 }, createLog('silent'), MIGRATION_LIMITS)
  try {
    await migrate(db)
  } finally {
    await db.close()
  }
  return database.kind === 'sqlite' ? fileTarget(database.path) : serverTarget(database.url)
}

async function serverTarget(connectionString: string): Promise<SeedTarget> {
  const client = new Client({ connectionString, application_name: 'paylink-auth seed' })
  await client.connect()
  // `finish` makes everything durable; after a crash the seeding is repeated.
  await client.query('set synchronous_commit = off')
  const one = async (sql: string, parameters: string[] = []): Promise<Record<string, string>> =>
    (await client.query(sql, parameters)).rows[0]
  const columnTypes = new Map<string, Map<string, string>>()

  async function typesOf(table: string): Promise<Map<string, string>> {
    const { rows } = await client.query(
      'select column_name, data_type from information_schema.columns where table_name = $1 and table_schema = current_schema()',
      [table],
    )
    return new Map(rows.map(({ column_name, data_type }) => [column_name, data_type]))
  }

  return {
    isEmpty: async (table) => (await client.query(`select 1 from ${table} limit 1`)).rowCount === 0,
    async write(table, rows) {
      if (rows.length === 0) return
      const types = columnTypes.get(table) ?? (await typesOf(table))
      columnTypes.set(table, types)
      const columns = Object.keys(rows[0] ?? {})
      const arrays = columns.map((column, n) => `$${n + 1}::${types.get(column)}[]`)
      await client.query(
        `insert into ${table} (${columns.join(', ')}) select * from unnest(${arrays.join(', ')})`,
        columns.map((column) => rows.map((row) => row[column])),
      )
    },
    async finish() {
      // The next commit flushes all earlier ones.
      await client.query('set synchronous_commit = on')
      await client.query('vacuum analyze')
    },
    async sizeOf(table) {
      const found = await one(
        `select (select count(*) from ${table}) as rows, pg_table_size($1) as heap, pg_indexes_size($1) as indexes`,
        [table],
      )
      return {
        table,
        rows: Number(found['rows']),
        tableBytes: Number(found['heap']),
        indexBytes: Number(found['indexes']),
      }
    },
    close: () => client.end(),
  }
}

function fileTarget(path: string): SeedTarget {
  const file = new DatabaseSync(path, { timeout: 5000 })
  file.exec('PRAGMA cache_size = -1000000; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON')
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const number = (sql: string, ...parameters: string[]): number | null => {
    const [found] = Object.values(file.prepare(sql).get(...parameters) ?? {})
    return found === undefined || found === null ? null : Number(found)
  }

  function bytesOf(sql: string, table: string): number | null {
    try {
      return number(sql, table) ?? 0
    } catch {
      // This SQLite lacks dbstat.
      return null
    }
  }

  return {
    isEmpty: async (table) => number(`select 1 from ${table} limit 1`) === null,
    async write(table, rows) {
      const columns = Object.keys(rows[0] ?? {})
      if (columns.length === 0) return
      const text = `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`
      const insert = statements.get(text) ?? file.prepare(text)
      statements.set(text, insert)
      file.exec('BEGIN IMMEDIATE')
      for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null))
      file.exec('COMMIT')
    },
    async finish() {
      file.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    },
    async sizeOf(table) {
      const indexes = `(select name from sqlite_schema where type = 'index' and tbl_name = ?)`
      return {
        table,
        rows: number(`select count(*) from ${table}`) ?? 0,
        tableBytes: bytesOf('select sum(pgsize) from dbstat where name = ?', table),
        indexBytes: bytesOf(`select sum(pgsize) from dbstat where name in ${indexes}`, table),
      }
    },
    async close() {
      file.close()
    },
  }
}
