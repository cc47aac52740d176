/** Starts that cannot succeed: each says in one line what is wrong, shows no stack and no value, and changes nothing. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { databasePath, openBeside } from '../support/process/served.ts'

const NOBODY = 65_534

describe('a start is refused', { concurrency: 2 }, () => {
  const root = temporaryFolder()
  // Others may pass through, so that a process of another user gets as far as the folder it may not write.
  before(() => chmodSync(root.path, 0o755))
  after(() => root.remove())

  let folders = 0
  function newFolder(): string {
    const path = join(root.path, String(++folders))
    mkdirSync(path, { mode: 0o755 })
    return path
  }

  /** A folder with a database that an earlier start has made. */
  async function usedFolder(): Promise<string> {
    const folder = newFolder()
    assert.equal((await runCli(['migrate'], { cwd: folder }).exited).code, 0)
    return folder
  }

  type Options = Readonly<{ cwd: string; env?: Record<string, string>; uid?: number; args?: string[] }>

  async function refusal({ args = ['serve'], ...options }: Options) {
    const { code, signal, output } = await runCli(args, options).exited
    assert.equal(signal, null, output)
    assert.doesNotMatch(output, /^\s+at |node:internal|Error:|\.ts:\d/m, 'no stack')
    assert.doesNotMatch(output, /listening/i)
    return { code, lines: output.trimEnd().split('\n') }
  }

  async function canRunAsNobody(cwd: string): Promise<boolean> {
    if (process.getuid?.() !== 0) return false
    return (await runCli(['--version'], { cwd, uid: NOBODY }).exited).code === 0
  }

  async function assertOneLine(options: Options, says: RegExp): Promise<void> {
    const { code, lines } = await refusal(options)
    assert.equal(lines.length, 1, lines.join('\n'))
    assert.match(lines[0] ?? '', says)
    assert.equal(code, 1)
  }

  test('by wrong settings: all problems in one go, no value, exit code 78, nothing is made [F40]', async () => {
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
    const { code, lines } = await refusal({ cwd, env })
    assert.equal(code, 78)
    assert.equal(lines.length, 1 + values.length, lines.join('\n'))
    for (const name of Object.keys(env)) {
      assert.equal(lines.filter((line) => line.includes(`${name} `)).length, 1, `${name} is named once`)
    }
    for (const value of values) assert.ok(!lines.join('\n').includes(value), 'a value is shown')
    assert.deepEqual(readdirSync(cwd), [])
  })

  test('in production without its settings: each is named, exit code 78, nothing is made [F40, J4]', async () => {
    const cwd = newFolder()
    const { code, lines } = await refusal({ cwd, env: { NODE_ENV: 'production' } })
    assert.equal(code, 78)
    for (const name of ['JWT_SECRET', 'PUBLIC_URL', 'SMTP_URL']) {
      assert.equal(lines.filter((line) => line.includes(`${name} `)).length, 1, lines.join('\n'))
    }
    assert.equal(lines.length, 4, lines.join('\n'))
    assert.deepEqual(readdirSync(cwd), [])
  })

  test('by a newer schema of which something was taken away, which is left as it is [F40]', async () => {
    const cwd = await usedFolder()
    const db = openBeside(cwd)
    db.exec(`insert into kysely_migration (name, timestamp) values ('9999-drop-the-past', '2030-01-01')`)
    const schema = db.prepare('select sql from sqlite_schema order by name').all()
    for (const args of [['serve'], ['migrate']]) {
      await assertOneLine({ cwd, args }, /too old .*9999-drop-the-past/)
    }
    assert.deepEqual(db.prepare('select sql from sqlite_schema order by name').all(), schema)
    db.close()
  })

  test('by a port in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const env = { PORT: String(port) }
    await assertOneLine({ cwd: newFolder(), env }, new RegExp(`Port ${port} .*in use.*PORT`))
    other.close()
  })

  test('by an address that is not this machine’s', async () => {
    // RFC 5737: an address of nobody's.
    const env = { HOST: '192.0.2.1', SMTP_URL: 'smtp://127.0.0.1:2525' }
    await assertOneLine({ cwd: newFolder(), env }, /192\.0\.2\.1.*HOST/)
  })

  test('by a folder that cannot be made', async () => {
    const env = { DATA_DIR: '/proc/data' }
    await assertOneLine({ cwd: newFolder(), env }, /data folder .*\/proc\/data.*DATA_DIR/)
  })

  test('by a folder that may not be written', async (t) => {
    const cwd = newFolder()
    if (!(await canRunAsNobody(cwd))) return t.skip('needs root, and a repository that others can read')
    await assertOneLine({ cwd, uid: NOBODY }, /data folder .*EACCES.*DATA_DIR/)
    assert.deepEqual(readdirSync(cwd), [])
  })

  test('by a database that may not be written, which is left as it is', async (t) => {
    const cwd = await usedFolder()
    if (!(await canRunAsNobody(cwd))) return t.skip('needs root, and a repository that others can read')
    const bytes = readFileSync(databasePath(cwd))
    chmodSync(join(cwd, 'data'), 0o755)
    chmodSync(databasePath(cwd), 0o644)
    const env = { JWT_SECRET: 'mB7rVq2xW0sTz9LdKf5hYc8nGp3uJe6aRiXoQwEt1ZvN4CyU' }
    await assertOneLine({ cwd, env, uid: NOBODY }, /database .*read-?only|database .*unable to open/)
    assert.deepEqual(readFileSync(databasePath(cwd)), bytes)
  })

  test('by a database that another process holds', async () => {
    const cwd = await usedFolder()
    const db = openBeside(cwd)
    db.exec('begin immediate')
    await assertOneLine({ cwd }, /^Another process holds the database\./)
    db.close()
  })

  test('by a file that is no database, which is left as it is', async () => {
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

  test('by a database whose pages are damaged', async () => {
    const cwd = await usedFolder()
    const bytes = readFileSync(databasePath(cwd))
    // All behind the header: a disk that lost what was written.
    writeFileSync(databasePath(cwd), bytes.fill(0xa5, 100))
    await assertOneLine({ cwd }, /database .*malformed/)
  })
})
