/** A database of a test's own: a file, or, where the tests run on PostgreSQL, one of the cluster's databases. */
import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import type { Db } from '../../src/db/db.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openDatabase } from '../../src/db/open.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Log } from '../../src/lib/log.ts'
import { database as locationOf } from '../../src/lib/setting-parsers.ts'
import { temporaryFolder } from './files.ts'

/** The cluster that the tests run on; none: each test has a file. */
export const clusterUrl = process.env['TEST_POSTGRES_URL'] || undefined

/** What a test in a marked file is not run for on PostgreSQL. */
const embeddedOnly = {
  'a file that is held': 'shortens how long SQLite waits for its one lock; waits for a server are in test/system',
  'a restore': 'replaces the file of the embedded database; of PostgreSQL: test/system/pg-restore.test.ts',
  'a full disk': 'a limit of pages of a file; a server whose disk is full is a server’s matter',
} as const

/** For a test’s options: skips it on PostgreSQL. */
export function onEmbeddedOnly(name: keyof typeof embeddedOnly): { skip: string | false } {
  return { skip: clusterUrl !== undefined && embeddedOnly[name] }
}

/** A database that is migrated already, to be copied; none: `startService` migrates an empty one. */
const template = process.env['TEST_POSTGRES_TEMPLATE'] || undefined

/** As long as a busy machine may need; tests of how long is waited start a process. */
export const PATIENT = { answeredWithinMs: 60_000, connectedWithinMs: 60_000, countedWithinMs: 60_000 }

/** A database, by what `DATABASE_URL` says of it. */
export type TestDatabase = Readonly<{ url: string; remove(): Promise<void> }>

/**
 * A new one; in a folder that the test removes, or in the cluster.
 * @param content with its tables, where that saves time, or certainly without
 */
export async function newDatabase(folder: string, content: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  if (clusterUrl === undefined) return { url: `sqlite:${folder}/paylink-auth.db`, remove: async () => {} }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const copied = content === 'migrated' && template !== undefined ? ` template ${template}` : ''
  await administer(`create database ${name}${copied}`)
  const remove = () => administer(`drop database if exists ${name} with (force)`)
  return { url: urlOf(clusterUrl, name), remove }
}

/** Makes the database that `newDatabase` copies in processes whose TEST_POSTGRES_TEMPLATE is its name, and gives that. */
export async function makeTemplate(cluster: string): Promise<string> {
  const name = 'paylink_auth_template'
  await administerAt(cluster, `create database ${name}`)
  const db = openAt(urlOf(cluster, name))
  await migrate(db)
  await db.destroy()
  return name
}

/** One more connection to a database, or pool of connections, as one more process has it. */
export function openAt(url: string, log: Log = createLog('silent')): Db {
  return openDatabase({ database: locationOf(url), databasePoolSize: 4 }, log, PATIENT)
}

/** A migrated database and nothing around it. */
export type OpenedDatabase = Readonly<{ db: Db; url: string; close(): Promise<void> }>

/** Makes one and opens it. */
export async function openNewDatabase(content: 'migrated' | 'empty' = 'migrated'): Promise<OpenedDatabase> {
  const folder = temporaryFolder()
  const { url, remove } = await newDatabase(folder.path, content)
  const db = openAt(url)
  if (content === 'migrated') await migrate(db)
  return {
    db,
    url,
    async close() {
      await db.destroy()
      await remove()
      folder.remove()
    },
  }
}

function urlOf(cluster: string, database: string): string {
  const url = new URL(cluster)
  url.pathname = `/${database}`
  return url.href
}

/** Runs statements in the cluster's maintenance database, as its superuser. */
export async function administer(...statements: readonly string[]): Promise<void> {
  await administerAt(clusterUrl ?? '', ...statements)
}

async function administerAt(cluster: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: cluster })
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}
