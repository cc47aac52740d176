/** The database of one test: an SQLite file, or a database of the PostgreSQL cluster when the tests run on that. */
import { randomUUID } from 'node:crypto'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Database } from '../../../src/database/database.ts'
import { openDatabase } from '../../../src/database/open.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { createLog } from '../../../src/lib/log.ts'
import type { Log } from '../../../src/lib/log.ts'
import { database as locationOf } from '../../../src/config/parsers.ts'
import { temporaryFolder } from '../files.ts'

/** The cluster the tests run on; undefined: every test uses an SQLite file. */
export const clusterUrl = process.env['TEST_POSTGRES_URL'] || undefined

/** Why a test in a marked file does not run on PostgreSQL. */
const embeddedOnly = {
  'a file that is held': 'shortens how long SQLite waits for its one lock; waits for a server are in test/system',
  'a restore': 'replaces the file of the embedded database; of PostgreSQL: test/system/pg-restore.test.ts',
  'a full disk': 'a limit of pages of a file; a server whose disk is full is a server’s matter',
} as const

/** For a test's options: skips it on PostgreSQL. */
export function onEmbeddedOnly(name: keyof typeof embeddedOnly): { skip: string | false } {
  return { skip: clusterUrl !== undefined && embeddedOnly[name] }
}

/** A migrated database to clone; undefined: each new one is migrated. */
const template = process.env['TEST_POSTGRES_TEMPLATE'] || undefined

/** Timeouts long enough for a busy machine; tests of the timeouts themselves start a process. */
export const PATIENT = { answerTimeoutMs: 60_000, connectTimeoutMs: 60_000, sharedBucketTimeoutMs: 60_000 }

/** `url` is the value of `DATABASE_URL`. */
export type TestDatabase = Readonly<{ url: string; remove(): Promise<void> }>

/**
 * Creates a database, as a file in `folder` or in the cluster.
 * @param content `migrated`: with the tables, by copying a migrated database where there is one; `empty`: without
 */
export async function newDatabase(folder: string, content: 'migrated' | 'empty' = 'migrated'): Promise<TestDatabase> {
  if (clusterUrl === undefined) {
    const path = join(folder, 'paylink-auth.db')
    if (content === 'migrated') copyFileSync(await migratedFile(), path)
    return { url: `sqlite:${path}`, remove: async () => {} }
  }
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const copied = content === 'migrated' && template !== undefined ? ` template ${template}` : ''
  await administer(`create database ${name}${copied}`)
  const url = urlOf(clusterUrl, name)
  if (content === 'migrated' && template === undefined) await migrateAt(url)
  return { url, remove: () => administer(`drop database if exists ${name} with (force)`) }
}

let migrated: Promise<string> | undefined

/** The SQLite file that `newDatabase` copies: migrating each anew takes as long as starting the service. */
function migratedFile(): Promise<string> {
  migrated ??= (async () => {
    const folder = temporaryFolder()
    process.on('exit', folder.remove)
    const path = join(folder.path, 'migrated.db')
    await migrateAt(`sqlite:${path}`)
    return path
  })()
  return migrated
}

/** Makes the database that `newDatabase` clones where TEST_POSTGRES_TEMPLATE is its name, and returns that name. */
export async function makeTemplate(cluster: string): Promise<string> {
  const name = 'paylink_auth_template'
  await administerAt(cluster, `create database ${name}`)
  await migrateAt(urlOf(cluster, name))
  return name
}

async function migrateAt(url: string): Promise<void> {
  const db = openAt(url)
  await migrate(db)
  await db.close()
}

/** A further connection or pool, as of another process; its transactions can hold locks. */
export function openAt(url: string, log: Log = createLog('silent')): Database {
  return openDatabase({ database: locationOf(url), databasePoolSize: 4 }, log, { ...PATIENT, allowsOtherWaits: true })
}

export type OpenedDatabase = Readonly<{ db: Database; url: string; close(): Promise<void> }>

export async function openNewDatabase(content: 'migrated' | 'empty' = 'migrated'): Promise<OpenedDatabase> {
  const folder = temporaryFolder()
  const { url, remove } = await newDatabase(folder.path, content)
  const db = openAt(url)
  return {
    db,
    url,
    async close() {
      await db.close()
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
