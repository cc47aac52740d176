/** A running service in its own process. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { CompiledQuery } from 'kysely'
import type { Database, Queries } from '../../../src/database/database.ts'
import { callAt } from '../http/call.ts'
import type { Answer, Call } from '../http/call.ts'
import { clusterUrl, newDatabase, openAt } from '../database/database.ts'
import type { TestDatabase } from '../database/database.ts'
import { freePort } from '../files.ts'
import { runCli } from './process.ts'
import { isPostgres } from '../database/triggers.ts'
import type { CliProcess } from './process.ts'

export type Served = Readonly<{
  process: CliProcess
  origin: string
  baseUrl: string
  /** `method path` below the base URL, for example `POST /auth/request`. Never follows a redirect. */
  call(route: string, call?: Call): Promise<Answer>
  /** Ends it as an operator does, and asserts that it ended cleanly. */
  stop(): Promise<void>
}>

/**
 * Runs `paylink-auth serve` in a folder and waits until it listens.
 * @param env settings that differ from the defaults here; `PORT` must be a port that was free
 * @param command runs in place of the build
 */
export async function serveIn(
  folder: string,
  env: Record<string, string> = {},
  command?: readonly string[],
): Promise<Served> {
  const port = env['PORT'] ?? String(await freePort())
  const origin = `http://127.0.0.1:${port}`
  const settings = {
    PORT: port,
    PUBLIC_URL: origin,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    ...(await databaseEnv(folder)),
    ...env,
  }
  const process = runCli(['serve'], { cwd: folder, env: settings, ...(command && { command }) })
  await process.waitFor('is listening on')
  const baseUrl = `${origin}/api/v1`
  return {
    process,
    origin,
    baseUrl,
    call: (route, options) => callAt(baseUrl, route, options),
    async stop() {
      process.kill('SIGTERM')
      const { code, output } = await process.exited
      assert.equal(code, 0, output)
    },
  }
}

/** Reason to skip tests of several processes at once; false where they run. */
export const skipsSeveral = clusterUrl === undefined && 'only one service can serve an embedded database'

/** The SQLite file of a service in this folder. */
export const databasePath = (folder: string) => join(folder, 'data', 'paylink-auth.db')

const databases = new Map<string, Promise<TestDatabase>>()

/** Settings with which the services of a folder share a PostgreSQL database; empty for an SQLite file in the folder. */
export async function databaseEnv(folder: string): Promise<Record<string, string>> {
  if (clusterUrl === undefined) return {}
  let database = databases.get(folder)
  if (database === undefined) databases.set(folder, (database = newDatabase(folder)))
  return { DATABASE_URL: (await database).url }
}

// The databases outlive the folder's services, because a test may inspect them until its process ends.
process.once('beforeExit', async () => {
  for (const database of databases.values()) await (await database).remove()
})

/** A second connection to the SQLite file of a service in this folder. */
export function openSqliteFile(folder: string): DatabaseSync {
  return new DatabaseSync(databasePath(folder), { timeout: 5000 })
}

/** A further connection to the database of a service in this folder, on either database. */
export async function connectToDatabase(folder: string): Promise<Database> {
  return openAt((await databaseEnv(folder))['DATABASE_URL'] ?? `sqlite:${databasePath(folder)}`)
}

/** A lock that blocks writers but not readers; on PostgreSQL, writers that start by locking the user. */
export type DatabaseLock = Readonly<{
  query(text: string, ...values: readonly unknown[]): Promise<any[]>
  release(): Promise<void>
}>

/** Locks the database of a service in this folder. */
export async function lockDatabase(folder: string): Promise<DatabaseLock> {
  const db = await connectToDatabase(folder)
  const [begun, over] = [Promise.withResolvers<Queries>(), Promise.withResolvers<void>()]
  const holding = db.transaction(async (trx) => {
    if (isPostgres(db)) await query(trx, 'lock table users in exclusive mode')
    begun.resolve(trx)
    await over.promise
  })
  const trx = await Promise.race([begun.promise, holding.then(() => begun.promise)])
  return {
    query: (text, ...values) => query(trx, text, ...values),
    async release() {
      over.resolve()
      await holding
      await db.close()
    },
  }
}

/** Runs a statement, with `?` for each value, and returns its rows. */
export async function query(db: Queries, text: string, ...values: readonly unknown[]): Promise<any[]> {
  let count = 0
  const numbered = clusterUrl === undefined ? text : text.replaceAll('?', () => `$${++count}`)
  const { rows } = await db.kysely.executeQuery<any>(CompiledQuery.raw(numbered, [...values]))
  // Rows of node:sqlite have no prototype, so deepEqual would not match plain objects.
  return rows.map((row) => Object.assign({}, row))
}

/** Runs one statement on its own connection to the database of a service in this folder, and returns the rows. */
export async function queryDatabase(folder: string, text: string, ...values: readonly unknown[]): Promise<any[]> {
  const db = await connectToDatabase(folder)
  try {
    return await query(db, text, ...values)
  } finally {
    await db.close()
  }
}

/** Asserts the integrity of the folder's SQLite file; does nothing on PostgreSQL. */
export async function assertWhole(folder: string): Promise<void> {
  if (clusterUrl !== undefined) return
  assert.deepEqual(await queryDatabase(folder, 'pragma integrity_check'), [{ integrity_check: 'ok' }])
}
