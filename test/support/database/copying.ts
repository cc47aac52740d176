/** `paylink-auth copy-to-postgres` as an operator runs it, and the content of both databases. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { Client, types as parsers, TypeOverrides } from 'pg'
import { copiedTables } from '../../../src/restore/copy-to-postgres.ts'
import { clusterUrl, newDatabase } from './database.ts'
import { runCli } from '../process/process.ts'
import type { CliProcess } from '../process/process.ts'
import { databasePath } from '../process/served.ts'

/** Reason to skip these tests; false where they run. */
export const skipReason = clusterUrl === undefined && 'needs PostgreSQL: TEST_POSTGRES_URL is not set'

/** The password in every URL given to a command; no output may contain it. */
const PASSWORD = 'hunter2-Pa55word'

/** Every row of every table in a stable order; undefined for a missing table. */
export type Content = Record<string, unknown[] | undefined>

export type Target = Readonly<{
  url: string
  /** Runs one statement as the database's owner. */
  query(sql: string): Promise<any[]>
  content(): Promise<Content>
  remove(): Promise<void>
}>

/** Makes an empty PostgreSQL database without tables. */
export async function newTarget(): Promise<Target> {
  const { url, remove } = await newDatabase('', 'empty')
  const withPassword = new URL(url)
  withPassword.password = PASSWORD
  const types = new TypeOverrides()
  types.setTypeParser(parsers.builtins.INT8, Number)
  const client = new Client({ connectionString: url, types })
  await client.connect()
  const query = async (sql: string) => (await client.query(sql)).rows
  return {
    url: withPassword.href,
    query,
    async content() {
      const found = await query("select tablename from pg_tables where schemaname = 'public'")
      const names = new Set(found.map(({ tablename }) => tablename))
      const content: Content = {}
      for (const table of copiedTables) {
        content[table] = names.has(table) ? sorted(await query(`select * from ${table}`)) : undefined
      }
      return content
    },
    async remove() {
      await client.end()
      await remove()
    },
  }
}

/** A further connection to the SQLite file of a folder, whichever database the tests run on. */
export function openSourceIn(folder: string): DatabaseSync {
  return new DatabaseSync(databasePath(folder), { timeout: 5000 })
}

export function sourceContent(folder: string): Content {
  const file = openSourceIn(folder)
  const rows = copiedTables.map((table) => [table, sorted(file.prepare(`select * from ${table}`).all())])
  file.close()
  return Object.fromEntries(rows)
}

// The order of columns and rows differs between the databases.
function sorted(rows: readonly object[]): unknown[] {
  const sortedByColumn = (row: object) =>
    Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const key = (row: unknown) => JSON.stringify(row)
  return rows.map(sortedByColumn).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

export function startCopy(folder: string, env: Record<string, string>, args: readonly string[] = []): CliProcess {
  return runCli(['copy-to-postgres', ...args], { cwd: folder, env })
}

/** Runs it to its end, and asserts that its output has no password and no stack trace. */
export async function runCopy(...args: Parameters<typeof startCopy>): Promise<{ code: number | null; output: string }> {
  const { code, output } = await startCopy(...args).exited
  assert.ok(!output.includes(PASSWORD), output)
  assert.doesNotMatch(output, /^\s+at /m)
  return { code, output }
}
