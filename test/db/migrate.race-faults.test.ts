/** Processes that migrate one database at once do it once, on a file and on a server, however long it takes. */
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { Client } from 'pg'
import { migrations } from '../../src/db/migrate.ts'
import { clusterUrl, newDatabase, openAt } from '../support/database.ts'
import type { TestDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process.ts'
import { until } from '../support/until.ts'

const JWT_SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'
const names = Object.keys(migrations)
const folder = temporaryFolder()
after(() => folder.remove())

let database: TestDatabase
const migrateInProcess = () => runCli(['migrate'], { cwd: folder.path, env: { DATABASE_URL: database.url, JWT_SECRET } })

/** Makes a database of the first version, with a row in it. */
async function makeFirstVersion(): Promise<void> {
  const db = openAt(database.url) as Kysely<any>
  const migrator = new Migrator({ db, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error } = await migrator.migrateTo(names[0] ?? '')
  assert.equal(error, undefined)
  await db.insertInto('users').values({ id: '1', email: 'ana@example.com', role: 'USER', token_version: 3, created_at_ms: 1 }).execute()
  await db.destroy()
}

/** Of two processes one applied these migrations and the other found them applied; each is marked once. */
async function assertOnce(processes: readonly ReturnType<typeof migrateInProcess>[], applied: readonly string[]) {
  const results = await Promise.all(processes.map(({ exited }) => exited))
  assert.deepEqual(
    results.map(({ code, output }) => ({ code, output })).toSorted((a, b) => (a.output < b.output ? -1 : 1)),
    [{ code: 0, output: `Applied ${applied.join(', ')}.\n` }, { code: 0, output: 'The schema is up to date.\n' }],
  )
  const db = openAt(database.url) as Kysely<any>
  const marked = await db.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  assert.deepEqual(marked.map(({ name }) => name), names)
  const users = await db.selectFrom('users').select(['id', 'token_version', 'locale']).execute()
  const found = users.map(({ id, token_version, locale }) => [id, token_version, locale])
  assert.deepEqual(found, applied.length < names.length ? [['1', 3, null]] : [])
  await db.destroy()
}

describe('two processes migrate at once', () => {
  beforeEach(async () => {
    database = await newDatabase(`${folder.path}/${performance.now()}`, 'empty')
  })
  afterEach(() => database.remove())

  test('a new database: one makes everything, the other finds it made', async () => {
    await assertOnce([migrateInProcess(), migrateInProcess()], names)
  })

  test('a database of an earlier version: one brings it up to date, the other finds it so', async () => {
    await makeFirstVersion()
    await assertOnce([migrateInProcess(), migrateInProcess()], names.slice(1))
  })

  const needsServer = clusterUrl === undefined && 'needs PostgreSQL: TEST_POSTGRES_URL is not set'
  test('while one waits for a table for longer than any call would, the other waits for it', { skip: needsServer }, async () => {
    await makeFirstVersion()
    const [holder, watcher] = [0, 1].map(() => new Client({ connectionString: database.url })) as [Client, Client]
    await Promise.all([holder.connect(), watcher.connect()])
    await holder.query('begin; lock table users')
    const processes = [migrateInProcess(), migrateInProcess()]
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    await until(async () => (await watcher.query(waiting)).rows.length === 2, 'both wait')
    await holder.query('select pg_sleep(1.5)')
    await Promise.all([holder.end(), watcher.end()])
    await assertOnce(processes, names.slice(1))
  })
})
