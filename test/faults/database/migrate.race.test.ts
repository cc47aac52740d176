import '../../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { Client } from 'pg'
import { migrate, migrations, SchemaInUseError } from '../../../src/database/migrate.ts'
import { clusterUrl, newDatabase, openAt } from '../../support/database/database.ts'
import type { TestDatabase } from '../../support/database/database.ts'
import { temporaryFolder } from '../../support/files.ts'
import { runCli } from '../../support/process/process.ts'
import { until } from '../../support/until.ts'

const JWT_SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'
/** Exceeded only if the schema change never yields: the transaction that it waits for stays open. */
const READ_WITHIN_MS = 60_000
const names = Object.keys(migrations)
const folder = temporaryFolder()
after(() => folder.remove())

let database: TestDatabase
const migrateInProcess = () =>
  runCli(['migrate'], { cwd: folder.path, env: { DATABASE_URL: database.url, JWT_SECRET } })

function connect() {
  const db = openAt(database.url)
  return { kysely: db.kysely as Kysely<any>, close: () => db.close() }
}

async function makeFirstVersion(): Promise<void> {
  const { kysely, close } = connect()
  const migrator = new Migrator({ db: kysely, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error } = await migrator.migrateTo(names[0] ?? '')
  assert.equal(error, undefined)
  await kysely
    .insertInto('users')
    .values({ id: '1', email: 'ana@example.com', role: 'USER', token_version: 3, created_at_ms: 1 })
    .execute()
  await close()
}

/** Asserts that one process applied these migrations, the other found them applied, and each is recorded once. */
async function assertOnce(processes: readonly ReturnType<typeof migrateInProcess>[], applied: readonly string[]) {
  const results = await Promise.all(processes.map(({ exited }) => exited))
  assert.deepEqual(
    results
      .map(({ code, output }) => ({ code, output: output.replace(/^Database: .*\n/, '') }))
      .toSorted((a, b) => (a.output < b.output ? -1 : 1)),
    [
      { code: 0, output: `Applied ${applied.join(', ')}.\n` },
      { code: 0, output: 'The schema is up to date.\n' },
    ],
  )
  const { kysely, close } = connect()
  const marked = await kysely.selectFrom('kysely_migration').select('name').orderBy('name').execute()
  assert.deepEqual(
    marked.map(({ name }) => name),
    names,
  )
  const users = await kysely.selectFrom('users').select(['id', 'token_version', 'locale']).execute()
  const found = users.map(({ id, token_version, locale }) => [id, token_version, locale])
  assert.deepEqual(found, applied.length < names.length ? [['1', 3, null]] : [])
  await close()
}

beforeEach(async () => {
  database = await newDatabase(`${folder.path}/${performance.now()}`, 'empty')
})
afterEach(() => database.remove())

const needsServer = clusterUrl === undefined && 'needs PostgreSQL: TEST_POSTGRES_URL is not set'

describe('two processes that migrate at once', () => {
  test('create a new database once', async () => {
    await assertOnce([migrateInProcess(), migrateInProcess()], names)
  })

  test('upgrade an older database once', async () => {
    await makeFirstVersion()
    await assertOnce([migrateInProcess(), migrateInProcess()], names.slice(1))
  })

  test(
    'wait for each other even if one waits for a table longer than any call would',
    { skip: needsServer },
    async () => {
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
    },
  )
})

describe('a migration behind a long read transaction', { skip: needsServer }, () => {
  let holder: Client
  let reader: Client
  beforeEach(async () => {
    await makeFirstVersion()
    holder = new Client({ connectionString: database.url })
    reader = new Client({ connectionString: database.url, statement_timeout: READ_WITHIN_MS })
    await Promise.all([holder.connect(), reader.connect()])
    await holder.query('begin; select * from users')
  })
  afterEach(() => Promise.all([holder.end(), reader.end()]))

  test('retries, lets other readers through between its attempts, and succeeds once the transaction ends', async () => {
    const process = migrateInProcess()
    const waits = () =>
      reader.query(`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'alter table%'`)
    for (const time of ['first', 'second']) {
      await until(async () => (await waits()).rows.length > 0, `it waits for the ${time} time`)
      // Queued behind the migration; fails if the migration never yields.
      await reader.query('select * from users')
      await until(async () => (await waits()).rows.length === 0, 'it has yielded')
    }
    await holder.query('commit')
    await assertOnce(
      [process, { ...process, exited: process.exited.then(() => migrateInProcess().exited) }],
      names.slice(1),
    )
  })

  test('fails with an error that names the cause, and leaves the schema unchanged, if the transaction does not end', async () => {
    const db = openAt(database.url)
    await assert.rejects(migrate(db, 100), (error: unknown) => {
      assert.ok(error instanceof SchemaInUseError)
      assert.match(error.message, /^other transactions kept the tables locked at every attempt for \d+ s$/)
      return true
    })
    const marked = await (db.kysely as Kysely<any>).selectFrom('kysely_migration').select('name').execute()
    assert.deepEqual(
      marked.map(({ name }) => name),
      names.slice(0, 1),
    )
    await holder.query('commit')
    assert.deepEqual(await migrate(db), names.slice(1))
    await db.close()
  })
})
