/** A refused start names the problem in one line, without a stack trace or a value, and changes nothing. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { databasePath, openSqliteFile } from '../support/process/served.ts'

const NOBODY = 65_534

describe('a start is refused', { concurrency: 2 }, () => {
  const root = temporaryFolder()
  // Traversable, so that a process of another user reaches the folder it may not write to.
  before(() => chmodSync(root.path, 0o755))
  after(() => root.remove())

  let folders = 0
  function newFolder(): string {
    const path = join(root.path, String(++folders))
    mkdirSync(path, { mode: 0o755 })
    return path
  }

  let migrated: Promise<string> | undefined
  /** A folder with a database from an earlier start. */
  async function usedFolder(): Promise<string> {
    migrated ??= (async () => {
      const first = newFolder()
      assert.equal((await runCli(['migrate'], { cwd: first }).exited).code, 0)
      return first
    })()
    const folder = newFolder()
    cpSync(await migrated, folder, { recursive: true })
    return folder
  }

  type Options = Readonly<{ cwd: string; env?: Record<string, string>; uid?: number; args?: string[] }>

  async function runRefused({ args = ['serve'], ...options }: Options) {
    const { code, signal, output } = await runCli(args, options).exited
    assert.equal(signal, null, output)
    assert.doesNotMatch(output, /^\s+at |node:internal|Error:|\.ts:\d/m, 'no stack')
    assert.doesNotMatch(output, /listening/i)
    const [first = '', ...rest] = output.trimEnd().split('\n')
    return { code, lines: first.startsWith('Database: ') ? rest : [first, ...rest] }
  }

  let tried: Promise<boolean> | undefined
  function canRunAsNobody(cwd: string): Promise<boolean> {
    tried ??= (async () => {
      if (process.getuid?.() !== 0) return false
      return (await runCli(['--version'], { cwd, uid: NOBODY }).exited).code === 0
    })()
    return tried
  }

  async function assertOneLine(options: Options, expected: RegExp): Promise<void> {
    const { code, lines } = await runRefused(options)
    assert.equal(lines.length, 1, lines.join('\n'))
    assert.match(lines[0] ?? '', expected)
    assert.equal(code, 1)
  }

  test('with wrong settings: all problems are listed without values, the exit code is 78, and nothing is created [F40]', async () => {
    const cwd = newFolder()
    const values = ['squirrel-level', '70001', 'not-a-url-walrus', 'shortpangolin', 'ftp://ocelot', 'heron/2w']
    const [LOG_LEVEL, PORT, PUBLIC_URL, JWT_SECRET, SMTP_URL, RATE_LIMIT_SIGNUP_DAY] = values as [
      string,
      string,
      string,
      string,
      string,
      string,
    ]
    const env = { LOG_LEVEL, PORT, PUBLIC_URL, JWT_SECRET, SMTP_URL, RATE_LIMIT_SIGNUP_DAY }
    const { code, lines } = await runRefused({ cwd, env })
    assert.equal(code, 78)
    assert.equal(lines.length, 1 + values.length, lines.join('\n'))
    for (const name of Object.keys(env)) {
      assert.equal(lines.filter((line) => line.includes(`${name} `)).length, 1, `${name} is named once`)
    }
    for (const value of values) assert.ok(!lines.join('\n').includes(value), 'a value is shown')
    assert.deepEqual(readdirSync(cwd), [])
  })

  test('in production with missing settings: each is named, the exit code is 78, and nothing is created [F40, J4]', async () => {
    const cwd = newFolder()
    const { code, lines } = await runRefused({ cwd, env: { NODE_ENV: 'production' } })
    assert.equal(code, 78)
    for (const name of ['JWT_SECRET', 'PUBLIC_URL', 'SMTP_URL']) {
      assert.equal(lines.filter((line) => line.includes(`${name} `)).length, 1, lines.join('\n'))
    }
    assert.equal(lines.length, 4, lines.join('\n'))
    assert.deepEqual(readdirSync(cwd), [])
  })

  test('on a newer schema that dropped something, which stays unchanged [F40]', async () => {
    const cwd = await usedFolder()
    const db = openSqliteFile(cwd)
    db.exec(`insert into kysely_migration (name, timestamp) values ('9999-drop-the-past', '2030-01-01')`)
    const schema = db.prepare('select sql from sqlite_schema order by name').all()
    for (const args of [['serve'], ['migrate']]) {
      await assertOneLine({ cwd, args }, /too old .*9999-drop-the-past/)
    }
    assert.deepEqual(db.prepare('select sql from sqlite_schema order by name').all(), schema)
    db.close()
  })

  test('on a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const env = { PORT: String(port) }
    await assertOneLine({ cwd: newFolder(), env }, new RegExp(`Port ${port} .*in use.*PORT`))
    other.close()
  })

  test('on an address that is not of this machine', async () => {
    // An address for documentation (RFC 5737).
    const env = { HOST: '192.0.2.1', SMTP_URL: 'smtp://127.0.0.1:2525' }
    await assertOneLine({ cwd: newFolder(), env }, /192\.0\.2\.1.*HOST/)
  })

  test('if the data folder cannot be created', async () => {
    const env = { DATA_DIR: '/proc/data' }
    await assertOneLine({ cwd: newFolder(), env }, /data folder .*\/proc\/data.*DATA_DIR/)
  })

  test('if the data folder is not writable', async (t) => {
    const cwd = newFolder()
    if (!(await canRunAsNobody(cwd))) return t.skip('needs root, and a repository that others can read')
    await assertOneLine({ cwd, uid: NOBODY }, /data folder .*EACCES.*DATA_DIR/)
    assert.deepEqual(readdirSync(cwd), [])
  })

  test('if the database is not writable, which stays unchanged', async (t) => {
    const cwd = await usedFolder()
    if (!(await canRunAsNobody(cwd))) return t.skip('needs root, and a repository that others can read')
    const bytes = readFileSync(databasePath(cwd))
    chmodSync(join(cwd, 'data'), 0o755)
    chmodSync(databasePath(cwd), 0o644)
    const env = { JWT_SECRET: 'mB7rVq2xW0sTz9LdKf5hYc8nGp3uJe6aRiXoQwEt1ZvN4CyU' }
    await assertOneLine({ cwd, env, uid: NOBODY }, /database .*read-?only|database .*unable to open/)
    assert.deepEqual(readFileSync(databasePath(cwd)), bytes)
  })

  test('if another process holds the database', async () => {
    const cwd = await usedFolder()
    const db = openSqliteFile(cwd)
    db.exec('begin immediate')
    await assertOneLine({ cwd }, /^Another process has locked the database\./)
    db.close()
  })

  test('if the file is not a database, which stays unchanged', async () => {
    const cwd = newFolder()
    mkdirSync(join(cwd, 'data'))
    const text = 'Somebody’s letters, which nobody may overwrite. '.repeat(200)
    writeFileSync(databasePath(cwd), text)
    for (const args of [['serve'], ['migrate']]) {
      await assertOneLine({ cwd, args }, /database .*not a database/)
    }
    assert.equal(readFileSync(databasePath(cwd), 'utf8'), text)
    assert.ok(!existsSync(`${databasePath(cwd)}-wal`))
  })

  test("if the database's pages are damaged", async () => {
    const cwd = await usedFolder()
    const bytes = readFileSync(databasePath(cwd))
    // Everything after the header: a disk that lost its writes.
    writeFileSync(databasePath(cwd), bytes.fill(0xa5, 100))
    await assertOneLine({ cwd }, /database .*malformed/)
  })
})
