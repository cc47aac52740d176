/** `paylink-auth copy-to-postgres` as an operator runs it, and both databases before and after. */
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { Client, types as parsers, TypeOverrides } from 'pg'
import { copiedTables } from '../../../src/restore/copy-to-postgres.ts'
import { clusterUrl, newDatabase } from './database.ts'
import { runCli } from '../process/process.ts'
import type { CliProcess } from '../process/process.ts'
import { databasePath } from '../process/served.ts'

/** Why the tests of it are left out; false: they are not. */
export const isLeftOut = clusterUrl === undefined && 'needs PostgreSQL: TEST_POSTGRES_URL is not set'

/** What must be in no output: the password in every URL that a command is given. */
const PASSWORD = 'hunter2-Pa55word'

/** Every row of every table, in any order that is the same every time; undefined where there is no table. */
export type Content = Record<string, unknown[] | undefined>

/** An empty PostgreSQL database to copy into. */
export type Target = Readonly<{
  /** With a password. */
  url: string
  /** One statement as its administrator. */
  query(sql: string): Promise<any[]>
  content(): Promise<Content>
  remove(): Promise<void>
}>

/** Makes one; it has no tables. */
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
      const there = await query("select tablename from pg_tables where schemaname = 'public'")
      const names = new Set(there.map(({ tablename }) => tablename))
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

/** One more connection to the embedded database of a folder, wherever the tests run. */
export function openSourceIn(folder: string): DatabaseSync {
  return new DatabaseSync(databasePath(folder), { timeout: 5000 })
}

/** What the embedded database of a folder holds. */
export function sourceContent(folder: string): Content {
  const file = openSourceIn(folder)
  const rows = copiedTables.map((table) => [table, sorted(file.prepare(`select * from ${table}`).all())])
  file.close()
  return Object.fromEntries(rows)
}

// The columns' order differs between databases, and so does that of rows.
function sorted(rows: readonly object[]): unknown[] {
  const even = (row: object) => Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const key = (row: unknown) => JSON.stringify(row)
  return rows.map(even).toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
}

/** Starts it in a folder, with settings and arguments. */
export function startCopy(folder: string, env: Record<string, string>, args: readonly string[] = []): CliProcess {
  return runCli(['copy-to-postgres', ...args], { cwd: folder, env })
}

/** Runs it to its end, and asserts that no password and no stack was shown. */
export async function runCopy(...args: Parameters<typeof startCopy>): Promise<{ code: number | null; output: string }> {
  const { code, output } = await startCopy(...args).exited
  assert.ok(!output.includes(PASSWORD), output)
  assert.doesNotMatch(output, /^\s+at /m)
  return { code, output }
}
