/** A database whose file is lost, but not its write-ahead log: nothing starts anew on the log, which is kept. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { clusterUrl } from '../support/database/database.ts'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process/process.ts'
import { databasePath, openSqliteFile, serveIn } from '../support/process/served.ts'

const HOOK = new URL('../support/faults/crash-after-step.ts', import.meta.url).href

describe('a write-ahead log without its database', { skip: clusterUrl !== undefined }, () => {
  const root = temporaryFolder()
  after(() => root.remove())
  const killed = join(root.path, 'killed')
  const backup = join(root.path, 'backup.db')

  before(async () => {
    mkdirSync(killed)
    const service = await serveIn(killed)
    assert.equal((await service.call('POST /auth/api/signup', { body: { email: 'ana@example.com' } })).status, 201)
    assert.equal((await runCli(['backup', backup], { cwd: killed }).exited).code, 0)
    service.process.kill('SIGKILL')
    await service.process.exited
  })

  const losses: Record<string, (path: string) => void> = {
    missing: (path) => rmSync(path),
    empty: (path) => truncateSync(path, 0),
  }
  const folderWith = (name: string) => {
    const folder = join(root.path, name)
    cpSync(killed, folder, { recursive: true })
    losses[name]?.(databasePath(folder))
    return folder
  }
  const commands = [['serve'], ['migrate'], ['users', 'list'], ['backup', 'copy.db'], ['vacuum']]
  const content = (folder: string) =>
    readdirSync(join(folder, 'data')).map((name) => [name, readFileSync(join(folder, 'data', name)).toString('latin1')])

  for (const name of Object.keys(losses)) {
    test(`a ${name} file: every command refuses with exit code 78 and touches nothing; a restore keeps the log`, async () => {
      const folder = folderWith(name)
      const log = readFileSync(`${databasePath(folder)}-wal`)
      assert.ok(log.length > 0)
      const was = content(folder)
      for (const args of commands) {
        const { code, output } = await runCli(args, { cwd: folder }).exited
        assert.equal(code, 78, output)
        assert.match(output, /A database was at .*paylink-auth\.db-wal is still there\. Put the file back, or restore/)
        assert.doesNotMatch(output, /^\s+at |listening/m)
      }
      assert.deepEqual(content(folder), was)

      const restored = await runCli(['restore', backup, '--yes', '--json'], { cwd: folder }).exited
      assert.equal(restored.code, 0, restored.output)
      const kept = readdirSync(join(folder, 'data')).find((file) => /-replaced-.*-wal$/.test(file))
      assert.deepEqual(readFileSync(join(folder, 'data', kept ?? '')), log)
      assert.match((await runCli(['users', 'list'], { cwd: folder }).exited).output, /ana@example\.com/)
    })
  }

  test('a restore that is killed when the log is kept aside and no file is in place: the start refuses, and it can be run again', async () => {
    const folder = join(root.path, 'killed-restore')
    cpSync(folderWith('missing'), folder, { recursive: true })
    const env = { NODE_OPTIONS: `--import=${HOOK}` }
    const first = await runCli(['restore', backup, '--yes'], { cwd: folder, env }).exited
    assert.equal(first.code, 0, first.output)
    const copies = readdirSync(join(folder, 'copies')).map((name) => join(folder, 'copies', name))
    const isWithout = (copy: string) => ['', '-wal'].every((end) => !existsSync(databasePath(copy) + end))
    const between: string = copies.find((copy) => isWithout(copy)) ?? assert.fail()
    for (const args of commands) {
      const { code, output } = await runCli(args, { cwd: between }).exited
      assert.equal(code, 78, output)
      assert.match(output, /A restore of .* was interrupted/)
    }
    assert.ok(isWithout(between))
    const again = await runCli(['restore', backup, '--yes'], { cwd: between }).exited
    assert.equal(again.code, 0, again.output)
    assert.match((await runCli(['users', 'list'], { cwd: between }).exited).output, /ana@example\.com/)
  })

  test('the file put back, the service starts with what the log holds', async () => {
    const folder = folderWith('missing')
    cpSync(databasePath(killed), databasePath(folder))
    const service = await serveIn(folder)
    await service.stop()
    assert.match((await runCli(['users', 'list'], { cwd: folder }).exited).output, /ana@example\.com/)
  })

  for (const [name, write] of Object.entries({
    'an empty file': (folder: string) => writeFileSync(databasePath(folder), ''),
    'a foreign SQLite file': (folder: string) => openSqliteFile(folder).exec('create table letters (text)'),
  })) {
    test(`${name} is named, and no command advises migrate`, async () => {
      const folder = join(root.path, name)
      mkdirSync(join(folder, 'data'), { recursive: true })
      write(folder)
      for (const args of [['users', 'list'], ['doctor'], ['backup', 'copy.db']]) {
        const { code, output } = await runCli(args, { cwd: folder }).exited
        assert.equal(code, 1)
        assert.match(output, /is empty\.|not a database of this service/)
        assert.doesNotMatch(output, /migrate/)
      }
    })
  }
})
