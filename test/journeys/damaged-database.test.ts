/** A damaged database, a full and a failing disk are named in one sentence, and doctor is not ok. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { clusterUrl } from '../support/database/database.ts'
import { cannotMount, mountSmallDisk } from '../support/database/small-disk.ts'
import { freePort, temporaryFolder } from '../support/files.ts'
import { operatorIn } from '../support/process/operator.ts'
import { runCli } from '../support/process/process.ts'
import { CLI } from '../support/process/shipped-build.ts'
import { databaseEnv, databasePath, openSqliteFile, queryDatabase, serveIn } from '../support/process/served.ts'

const PAGE_BYTES = 4096
const root = temporaryFolder()
after(() => root.remove())
const healthy = join(root.path, 'healthy')
const ONE_SENTENCE = /^(Database: .*\n)?[A-Z][^\n]*\.\n$/

describe('the embedded database', { skip: clusterUrl !== undefined }, () => {
  const newFolder = (name: string): string => {
    const path = join(root.path, name)
    cpSync(healthy, path, { recursive: true })
    return path
  }

  before(async () => {
    mkdirSync(healthy)
    assert.equal((await runCli(['migrate'], { cwd: healthy }).exited).code, 0)
    const file = openSqliteFile(healthy)
    file.exec(`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)
      insert into users (id, email, role, token_version, created_at_ms)
      select 'user-' || i, 'user' || i || '@example.com', 'USER', 0, 1 from n;
      pragma journal_mode = delete`)
    file.close()
  })

  const commands = [
    ['users', 'list', '--limit', '5000'],
    ['users', 'disable', 'user999@example.com', '--yes'],
    ['backup', 'copy.db'],
  ]
  const damages: Record<string, (file: Buffer) => Buffer> = {
    'that is no database': (file) => file.fill('Nobody’s letters. '),
    'with unreadable pages': (file) => file.fill(0xa5, file.length / 2),
    'with empty pages': (file) => file.fill(0, file.length / 2),
    'cut in half': (file) => file.subarray(0, Math.floor(file.length / 2 / PAGE_BYTES) * PAGE_BYTES),
  }
  for (const [name, damage] of Object.entries(damages)) {
    test(`${name} is called damaged by every command, without a stack, and by doctor`, async () => {
      const folder = newFolder(name)
      writeFileSync(databasePath(folder), damage(readFileSync(databasePath(folder))))
      for (const args of commands) {
        const { code, output } = await runCli(args, { cwd: folder }).exited
        assert.equal(code, 1, output)
        assert.match(output, ONE_SENTENCE)
        assert.match(output, /database is damaged: .*restore the last backup/)
      }
      for (const args of [['doctor'], ['doctor', '--deep']]) {
        const { code, output } = await runCli(args, { cwd: folder }).exited
        assert.equal(code, 1)
        assert.match(output, /^TO DO {2}database .*(damaged|cannot be read).*restore the last backup/m)
        assert.doesNotMatch(output, /^\s+at |^ok +database/m)
      }
    })
  }

  test('damaged below a running service is called damaged in its log, without a stack, and is not ready', async () => {
    const folder = newFolder('serving')
    const file = openSqliteFile(folder)
    const [users] = file.prepare(`select rootpage from sqlite_schema where name = 'users'`).all()
    file.close()
    const end = Number(users?.['rootpage']) * PAGE_BYTES
    writeFileSync(databasePath(folder), readFileSync(databasePath(folder)).fill(0xa5, end - PAGE_BYTES, end))
    const METRICS_TOKEN = 'a-token-of-more-than-thirty-two-bytes'
    const service = await serveIn(folder, { METRICS_TOKEN })
    const databaseUp = async () => {
      const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
      return /^paylink_auth_database_up (\d)$/m.exec(
        await (await fetch(`${service.origin}/metrics`, { headers })).text(),
      )?.[1]
    }
    assert.equal((await fetch(`${service.origin}/readyz`)).status, 200)
    assert.equal(await databaseUp(), '1')
    const { status } = await service.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })
    assert.equal(status, 500)
    const ready = await fetch(`${service.origin}/readyz`)
    assert.equal(ready.status, 503)
    assert.match(await ready.text(), /The database is damaged\./)
    assert.equal((await fetch(`${service.origin}/healthz`)).status, 200)
    assert.equal(await databaseUp(), '0')
    await service.stop()
    const lines = service.process.output().match(/^.*"msg":"INTERNAL".*$/gm) ?? []
    assert.equal(lines.length, 1)
    assert.match(
      lines[0] ?? '',
      /The database is damaged: database disk image is malformed\. .*restore the last backup/,
    )
    assert.doesNotMatch(service.process.output(), /frames|^\s+at /m)
  })

  test('on a full disk: the command names space, not permissions', { skip: cannotMount }, async () => {
    const disk = mountSmallDisk(2)
    try {
      cpSync(join(healthy, 'data'), join(disk.path, 'data'), { recursive: true })
      disk.fill()
      const args = ['users', 'disable', 'user999@example.com', '--yes']
      const { code, output } = await runCli(args, { cwd: disk.path }).exited
      assert.equal(code, 1)
      assert.match(output, ONE_SENTENCE)
      assert.match(output, /The disk is full.*Free some space/)
      assert.doesNotMatch(output, /permission/)
    } finally {
      disk.remove()
    }
  })

  test('on a disk that fails: the command says so in one sentence', async () => {
    const folder = newFolder('failing')
    // Files cannot grow beyond two pages, so the write-ahead log cannot be written.
    const command = ['prlimit', `--fsize=${2 * PAGE_BYTES}`, process.execPath, CLI]
    const args = ['users', 'disable', 'user999@example.com', '--yes']
    const { code, output } = await runCli(args, { cwd: folder, command }).exited
    assert.equal(code, 1, output)
    assert.match(output, ONE_SENTENCE)
    assert.match(output, /disk of the database failed|disk is full/)
  })
})

test('doctor --deep names the tool that checks a PostgreSQL database', { skip: clusterUrl === undefined }, async () => {
  const folder = join(root.path, 'named-tool')
  mkdirSync(folder)
  const env = { PORT: String(await freePort()), ...(await databaseEnv(folder)) }
  const { code, output } = await operatorIn(folder, env).run('doctor', '--deep')
  assert.equal(code, 1)
  assert.match(output, /^TO DO {2}integrity .*pg_amcheck/m)
})

describe('doctor --deep', { skip: clusterUrl !== undefined }, () => {
  const folder = join(root.path, 'deep')
  let env: Record<string, string>
  before(async () => {
    mkdirSync(folder)
    env = { PORT: String(await freePort()), ...(await databaseEnv(folder)) }
    assert.equal((await runCli(['migrate'], { cwd: folder, env }).exited).code, 0)
    await queryDatabase(folder, insert('ana'))
  })
  const insert = (id: string) =>
    `insert into users (id, email, role, token_version, created_at_ms) values ('${id}', '${id}@example.com', 'USER', 0, 1)`
  const check = async (...args: string[]) => (await operatorIn(folder, env).run('doctor', ...args)).output

  test('reads everything and finds nothing in a healthy database', async () => {
    assert.match(await check('--deep'), /^ok +integrity /m)
    assert.doesNotMatch(await check(), /integrity/)
  })

  test('finds a row that refers to a missing row, which a plain doctor does not look for', async () => {
    const file = openSqliteFile(folder)
    file.exec(`pragma foreign_keys = off; insert into identities
      (issuer, subject, user_id, email, connected_at_ms, sign_in_id)
      values ('https://accounts.google.com', '1', 'nobody', 'nobody@example.com', 1, 'once')`)
    file.close()
    assert.match(await check('--deep'), /^TO DO {2}integrity .*rows refer to rows that do not exist/m)
    assert.match(await check(), /^ok +database/m)
    await queryDatabase(folder, `delete from identities where user_id = 'nobody'`)
  })

  test('finds a damaged unique index', async () => {
    const change = (sql: string) => {
      const file = openSqliteFile(folder)
      file.exec(`pragma journal_mode = delete; ${sql}`)
      const [index] = file.prepare(`select rootpage from sqlite_schema where name = 'sqlite_autoindex_users_2'`).all()
      file.close()
      return (Number(index?.['rootpage']) - 1) * PAGE_BYTES
    }
    const at = change('')
    const earlier = readFileSync(databasePath(folder))
    change(insert('eva'))
    // The page of the index lost its last write.
    const bytes = readFileSync(databasePath(folder))
    earlier.copy(bytes, at, at, at + PAGE_BYTES)
    writeFileSync(databasePath(folder), bytes)
    assert.match(await check('--deep'), /^TO DO {2}integrity .*damaged/m)
  })
})
