import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { databasePath, openSqliteFile } from '../support/process/served.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

describe('the command line', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())
  const run = (...args: string[]) => runCli(args, { cwd: folder.path }).exited

  test('--help and --version print their text, exit with 0, and change nothing', async () => {
    for (const option of ['--help', '-h']) {
      const { code, output } = await run(option)
      assert.equal(code, 0)
      assert.match(output, /^Usage: paylink-auth COMMAND/)
      for (const command of ['serve', 'migrate']) assert.match(output, new RegExp(`^ +${command} `, 'm'))
    }
    for (const option of ['--version', '-v']) {
      assert.deepEqual(await run(option), { code: 0, signal: null, output: `${version}\n` })
    }
    assert.match((await run('serve', '--help')).output, /^Usage/, '--help takes precedence over any command')
    assert.deepEqual(readdirSync(folder.path), [])
  })

  test('an unknown command or argument prints the usage, exits with 64, and changes nothing', async () => {
    for (const args of [[], ['dance'], ['serve', 'twice'], ['--port=1'], ['constructor'], ['__proto__']]) {
      const { code, output } = await run(...args)
      assert.equal(code, 64, `${args.join(' ')}: ${output}`)
      assert.match(output, /^Usage: /m)
      assert.doesNotMatch(output, /^\s+at /m)
    }
    assert.deepEqual(readdirSync(folder.path), [])
  })

  test('migrate applies missing migrations and lists them; a second run reports that the schema is up to date', async () => {
    const first = await run('migrate')
    assert.equal(first.code, 0, first.output)
    const line = `Database: ${databasePath(folder.path)}. Settings: the environment.\n`
    assert.ok(first.output.startsWith(line), first.output)
    assert.match(first.output.slice(line.length), /^Applied 0001-accounts.*\.\n$/)
    const db = openSqliteFile(folder.path)
    const schema = db.prepare('select sql from sqlite_schema order by name').all()
    const applied = db.prepare('select name, timestamp from kysely_migration').all()
    assert.ok(schema.length > 4)

    assert.deepEqual(await run('migrate'), { code: 0, signal: null, output: `${line}The schema is up to date.\n` })
    assert.deepEqual(db.prepare('select sql from sqlite_schema order by name').all(), schema)
    assert.deepEqual(db.prepare('select name, timestamp from kysely_migration').all(), applied)
    db.close()
  })

  test('two concurrent migrations both succeed and create the schema once', async () => {
    const other = temporaryFolder()
    const runs = Array.from({ length: 3 }, () => runCli(['migrate'], { cwd: other.path }).exited)
    for (const { code, output } of await Promise.all(runs)) assert.equal(code, 0, output)
    const db = openSqliteFile(other.path)
    const names = db
      .prepare('select name from kysely_migration')
      .all()
      .map((row) => row['name'])
    db.close()
    other.remove()
    assert.deepEqual(names, [...new Set(names)])
    assert.ok(names.length > 0)
  })
})
