import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { Client } from 'pg'
import { skipReason, newTarget, openSourceIn, runCopy, sourceContent, startCopy } from '../support/database/copying.ts'
import type { Content, Target } from '../support/database/copying.ts'
import { MOVED } from '../../src/database/moved.ts'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { databasePath } from '../support/process/served.ts'
import { until } from '../support/until.ts'

const JWT_SECRET = 'a-test-secret-of-more-than-thirty-two-bytes'
/** More than one INSERT statement takes. */
const USERS = 1201

describe('copy-to-postgres', { skip: skipReason }, () => {
  const folder = temporaryFolder()
  let target: Target
  let original: Content
  const env = { JWT_SECRET }
  const copy = (args: readonly string[] = ['--to', target.url]) => runCopy(folder.path, env, args)

  before(async () => {
    assert.equal((await runCli(['migrate'], { cwd: folder.path, env }).exited).code, 0)
    const file = openSourceIn(folder.path)
    file.exec(`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${USERS})
      insert into users (id, email, role, token_version, created_at_ms)
      select 'user-' || i, 'user' || i || '@example.com', 'USER', 0, 1795172400000 from n;
      insert into security_events (id, user_id, type, at_ms, times) values ('event', 'user-1', 'signed_up', 1, 1);
    `)
    file.close()
    original = sourceContent(folder.path)
  })
  beforeEach(async () => {
    target = await newTarget()
    const file = openSourceIn(folder.path)
    file.prepare('delete from kysely_migration where name = ?').run(MOVED)
    file.close()
  })
  afterEach(() => target.remove())
  after(() => folder.remove())

  const tables = () => target.query("select tablename from pg_tables where schemaname = 'public'")
  async function assertUntouched(refused: { code: number | null; output: string }, why: RegExp, code = 1) {
    assert.equal(refused.code, code, refused.output)
    assert.match(refused.output, why)
    assert.doesNotMatch(refused.output, /^Copied/m)
    assert.deepEqual(await tables(), [])
    if (existsSync(databasePath(folder.path))) assert.deepEqual(sourceContent(folder.path), original)
  }

  test('refuses a target that has a single row of this service, before it changes its schema', async () => {
    await target.query('create table mail_pauses (email text primary key)')
    await target.query("insert into mail_pauses values ('paused@example.com')")
    const { code, output } = await copy()
    assert.equal(code, 1)
    assert.match(output, /not empty, there are rows in mail_pauses/)
    assert.deepEqual(await tables(), [{ tablename: 'mail_pauses' }])
    assert.deepEqual(await target.query('select * from mail_pauses'), [{ email: 'paused@example.com' }])
  })

  test('refuses a second copy, and the rows of the first are there once', async () => {
    assert.equal((await copy()).code, 0)
    const first = await target.content()
    assert.deepEqual(first, original)
    const moved = await copy()
    assert.equal(moved.code, 78, moved.output)
    assert.match(moved.output, /was copied to PostgreSQL/)
    const { code, output } = await copy(['--to', target.url, '--even-though-moved'])
    assert.equal(code, 1, output)
    assert.match(output, /not empty/)
    assert.deepEqual(await target.content(), first)
  })

  test('run twice at once on one target, succeeds once', async () => {
    const codes = (await Promise.all([copy(), startCopy(folder.path, env, ['--to', target.url]).exited])).map(
      ({ code }) => code,
    )
    assert.equal(codes.filter((code) => code === 0).length, 1, codes.join())
    assert.deepEqual(await target.content(), original)
  })

  describe('from a source', () => {
    const from = async (content: string) => {
      const path = join(folder.path, `${performance.now()}.db`)
      const file = openSourceIn(folder.path)
      file.exec(`vacuum into '${path}'`)
      file.close()
      if (content !== '') change(path, content)
      return copy(['--from', `sqlite:${path}`, '--to', target.url])
    }
    const change = (path: string, sql: string) => {
      const file = new DatabaseSync(path)
      file.exec(sql)
      file.close()
    }

    test('that was restored from a backup copies everything', async () => {
      assert.equal((await from('')).code, 0)
      assert.deepEqual(await target.content(), original)
    })

    test('that lacks a migration copies nothing and names the remedy', async () => {
      const last = 'delete from kysely_migration where name = (select max(name) from kysely_migration)'
      await assertUntouched(await from(last), /lacks \d{4}-[\w-]+: run `paylink-auth migrate` on it first/)
    })

    test('of a newer version copies nothing', async () => {
      await assertUntouched(await from("insert into kysely_migration values ('9999-future', '2030')"), /9999-future/)
    })

    test('that belongs to another program, is not a database, or is missing copies and creates nothing', async () => {
      await assertUntouched(await from('drop table kysely_migration'), /not a database of this service/)
      const path = join(folder.path, 'note.txt')
      writeFileSync(path, 'This is no database, though it is long enough to be taken for one. '.repeat(30))
      await assertUntouched(await copy(['--from', `sqlite:${path}`, '--to', target.url]), /not a database/)
      const missingFile = join(folder.path, 'nowhere.db')
      await assertUntouched(
        await copy(['--from', `sqlite:${missingFile}`, '--to', target.url]),
        /No database found at .*nowhere\.db/,
      )
      assert.ok(!existsSync(missingFile))
    })

    test('that another process has open copies nothing, because its later writes would be lost', async () => {
      const other = openSourceIn(folder.path)
      other.prepare('select count(*) from users').get()
      await assertUntouched(await copy(), /Another process has locked the database/)
      other.exec("update users set name = 'Ana' where id = 'user-1'; update users set name = null where id = 'user-1'")
      other.close()
    })
  })

  test('rejects a missing target or one that is not PostgreSQL as wrong usage', async () => {
    const wrong: [string[], RegExp][] = [
      [[], /Missing target/],
      [['--to', 'sqlite:./other.db'], /Missing target/],
      [['--to', 'mysql://hunter2-Pa55word@a/b'], /--to must be/],
      [['--from', target.url, '--to', target.url], /--from must be sqlite:PATH/],
    ]
    const runs = await Promise.all(wrong.map(([args]) => copy(args)))
    for (const [index, run] of runs.entries()) await assertUntouched(run, wrong[index]?.[1] ?? /^$/, 64)
    assert.equal((await runCli(['migrate', '--to', target.url], { cwd: folder.path, env }).exited).code, 64)
    assert.ok(!existsSync(join(folder.path, 'other.db')))
  })

  test('names an unreachable server, without the password', async () => {
    const url = new URL(target.url)
    url.port = '1'
    const { host, pathname } = url
    await assertUntouched(
      await copy(['--to', url.href]),
      new RegExp(`Nothing was copied\\. ${host}${pathname}: .*ECONNREFUSED`),
    )
  })

  describe('during a copy', () => {
    /** Blocks the copy at one of its last tables, when the earlier tables are in its transaction. */
    async function holdAtEvents(): Promise<{ release(): Promise<void> }> {
      const client = new Client({ connectionString: target.url })
      await client.connect()
      await client.query('begin; lock table security_events in share mode')
      return { release: () => client.end() }
    }
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    const untilHeld = () => until(async () => (await target.query(waiting)).length === 1, 'the wait')
    beforeEach(async () => {
      const { code } = await runCli(['migrate'], { cwd: folder.path, env: { ...env, DATABASE_URL: target.url } }).exited
      assert.equal(code, 0)
    })

    test('kill -9 leaves the target empty and the source unchanged, and a second run copies everything', async () => {
      const empty = await target.content()
      const holder = await holdAtEvents()
      const copying = startCopy(folder.path, env, ['--to', target.url])
      await untilHeld()
      assert.deepEqual(await target.content(), empty, 'nothing is visible before the commit')
      copying.kill('SIGKILL')
      await copying.exited
      await holder.release()
      assert.deepEqual(await target.content(), empty)
      assert.deepEqual(sourceContent(folder.path), original)
      await until(async () => (await copy()).code === 0, 'a second copy')
      assert.deepEqual(await target.content(), original)
    })

    test('a commit that is not confirmed leaves the source marked, and the message names the way on', async () => {
      await target.query(
        `create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
      )
      await target.query(`create constraint trigger refuse after insert on users deferrable initially deferred
        for each row execute function refuse()`)
      const { code, output } = await copy()
      assert.equal(code, 1, output)
      assert.match(output, /: no\. The commit was not confirmed, and .* is marked as moved\. .*--even-though-moved/)
      await target.query('drop function refuse cascade')
      assert.equal((await copy()).code, 78)
      assert.equal((await copy(['--to', target.url, '--even-though-moved'])).code, 0)
      assert.deepEqual(await target.content(), original)
    })

    test('nobody can write to the source', async () => {
      const holder = await holdAtEvents()
      const copying = startCopy(folder.path, env, ['--to', target.url])
      await untilHeld()
      const other = new DatabaseSync(databasePath(folder.path), { timeout: 0 })
      assert.throws(() => other.exec("update users set name = 'Ana'"), /database is locked/)
      other.close()
      await holder.release()
      assert.equal((await copying.exited).code, 0)
      assert.deepEqual(await target.content(), original)
    })

    test('a row that another writer adds to the target fails the row count and rolls the copy back', async () => {
      const holder = await holdAtEvents()
      const copying = startCopy(folder.path, env, ['--to', target.url])
      await untilHeld()
      await target.query("insert into spent_credentials values ('somebody-else', 1)")
      await holder.release()
      const { code, output } = await copying.exited
      assert.equal(code, 1)
      assert.match(output, /Nothing was copied.*spent_credentials has 1 rows there and 0 in the source/)
      const found = Object.entries(await target.content()).filter(([, rows]) => rows?.length !== 0)
      assert.deepEqual(found, [['spent_credentials', [{ hash: 'somebody-else', expires_at_ms: 1 }]]])
    })
  })
})
