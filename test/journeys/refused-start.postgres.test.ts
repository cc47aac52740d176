/** A database of PostgreSQL that cannot be used is refused in one line that names the remedy, and stays unchanged. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { after, afterEach, beforeEach, describe, test } from 'node:test'
import { administer } from '../support/database/database.ts'
import { newTarget, runCopy, skipReason } from '../support/database/copying.ts'
import type { Target } from '../support/database/copying.ts'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'

const JWT_SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'
const ROLE = 'app-of-refused-start'

describe('on PostgreSQL', { skip: skipReason }, () => {
  const folder = temporaryFolder()
  let target: Target
  beforeEach(async () => {
    target = await newTarget()
    await target.query(`create role "${ROLE}" login`)
  })
  afterEach(async () => {
    await target.query(`drop owned by "${ROLE}"`)
    await target.remove()
    await administer(`drop role "${ROLE}"`)
  })
  after(() => folder.remove())

  function urlOf(role: string): string {
    const url = new URL(target.url)
    url.username = role
    return url.href
  }
  const run = (command: string, url: string) =>
    runCli(command.split(' '), { cwd: folder.path, env: { DATABASE_URL: url, JWT_SECRET } }).exited
  async function assertRefused(command: string, url: string, expected: RegExp): Promise<void> {
    const { code, output } = await run(command, url)
    assert.equal(code, 1, output)
    const lines = output.trimEnd().split('\n')
    assert.match(lines.at(-1) ?? '', expected)
    assert.equal(lines.filter((line) => !line.startsWith('Database: ')).length, 1, output)
  }
  const tables = () => target.query("select tablename from pg_tables where schemaname = 'public'")

  test('a role that may not create tables is told the grant, which helps', async () => {
    const url = urlOf(ROLE)
    const why = new RegExp(`may not create tables in the schema public\\. .*: (GRANT .* public TO "${ROLE}")$`)
    for (const command of ['serve', 'migrate']) await assertRefused(command, url, why)
    assert.equal((await runCli(['migrate'], { cwd: folder.path, env: { JWT_SECRET } }).exited).code, 0)
    const copied = await runCopy(folder.path, { JWT_SECRET }, ['--to', url])
    const [, grant = ''] = why.exec(copied.output.trimEnd()) ?? []
    assert.notEqual(grant, '', copied.output)
    assert.deepEqual(await tables(), [])
    await target.query(grant)
    assert.equal((await run('migrate', url)).code, 0)
  })

  test('a role that may use no schema of its search path is told so', async () => {
    await target.query('revoke all on schema public from public')
    await assertRefused('migrate', urlOf(ROLE), /any schema of its search_path\. .* CREATE ON SCHEMA public TO/)
  })

  test('a role that does not own the tables is told so', async () => {
    assert.equal((await run('migrate', target.url)).code, 0)
    await target.query("delete from kysely_migration where name > '0022'")
    const refused = /^The database cannot be used: .*\. The role must own the tables of the service/
    for (const command of ['serve', 'migrate', 'users list']) {
      await assertRefused(command, urlOf(ROLE), refused)
    }
    await target.query(`grant all on kysely_migration, kysely_migration_lock to "${ROLE}"`)
    await assertRefused('migrate', urlOf(ROLE), /must be owner of .* The role must own the tables/)
  })

  test('tables of another program in a schema outside the search path stop no start', async () => {
    await target.query('create schema other')
    for (const table of ['kysely_migration', 'kysely_migration_lock'])
      await target.query(`create table other.${table} (name text, timestamp text)`)
    await assertRefused('users list', target.url, /^The database lacks 0001-accounts/)
    assert.match((await run('migrate', target.url)).output, /^Applied 0001-accounts/m)
    assert.match((await run('migrate', target.url)).output, /up to date/)
    assert.deepEqual(await target.query('select * from other.kysely_migration'), [])
  })

  test('tables in a later schema of the search path are used, although its first has none', async () => {
    assert.equal((await run('migrate', target.url)).code, 0)
    const database = new URL(target.url).pathname.slice(1)
    await target.query('create schema empty')
    await target.query(`alter database ${database} set search_path = empty, public`)
    assert.match((await run('migrate', target.url)).output, /up to date/)
  })

  test('a database whose encoding is not UTF8 is refused by every command', async () => {
    await administer('create database latin encoding LATIN1 template template0')
    try {
      const url = new URL(target.url)
      url.pathname = '/latin'
      const why = /the database has the encoding LATIN1, not UTF8\. Create another with /
      for (const command of ['migrate', 'users list', 'serve']) await assertRefused(command, url.href, why)
      assert.match((await run('doctor', url.href)).output, new RegExp(`TO DO +database .*${why.source}`))
    } finally {
      await administer('drop database latin')
    }
  })
})
