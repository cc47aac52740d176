/** A database whose file is lost, but not its write-ahead log: nothing starts anew on the log, which is kept. */
import '../support/postgres/on-postgres.ts'
import assert from 'node:assert/strict'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
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
  const commands = [
    ['serve'],
    ['migrate'],
    ['users', 'list'],
    ['backup', 'copy.db'],
    ['vacuum'],
    ['copy-to-postgres', '--to', 'postgres://127.0.0.1:1/none'],
  ]
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
    const truncated = join(root.path, 'truncated.db')
    writeFileSync(truncated, readFileSync(backup).subarray(0, 50_000))
    for (const unfit of [truncated, `${databasePath(between)}-restored`]) {
      assert.equal((await runCli(['restore', unfit, '--yes'], { cwd: between }).exited).code, 1)
      const { code, output } = await runCli(['serve'], { cwd: between }).exited
      assert.equal(code, 78, `after a restore of ${unfit}: ${output}`)
    }
    const again = await runCli(['restore', backup, '--yes'], { cwd: between }).exited
    assert.equal(again.code, 0, again.output)
    assert.match((await runCli(['users', 'list'], { cwd: between }).exited).output, /ana@example\.com/)
  })

  test('a restore whose last step fails leaves what refuses a start', async () => {
    const folder = join(root.path, 'failed-restore')
    cpSync(folderWith('missing'), folder, { recursive: true })
    const failing = (name: string, body: string) => {
      const hook = join(root.path, `${name}.mjs`)
      writeFileSync(
        hook,
        `import fs from 'node:fs'
         import { syncBuiltinESMExports } from 'node:module'
         const { ${name} } = fs
         fs.${name} = (from, to) => { ${body}; ${name}(from, to) }
         syncBuiltinESMExports()`,
      )
      return { NODE_OPTIONS: `--import=${hook}` }
    }
    const rename = `if (from.endsWith('-restored')) throw Object.assign(new Error('rename'), { code: 'EIO' })`
    // On a full disk it removes what it was to replace.
    const copy = `fs.rmSync(to, { force: true }); throw Object.assign(new Error('copy'), { code: 'ENOSPC' })`
    for (const env of [failing('renameSync', rename), failing('copyFileSync', copy)]) {
      assert.equal((await runCli(['restore', backup, '--yes'], { cwd: folder, env }).exited).code, 1)
      assert.equal((await runCli(['serve'], { cwd: folder }).exited).code, 78)
    }
    assert.equal((await runCli(['restore', backup, '--yes'], { cwd: folder }).exited).code, 0)
  })

  test('a log that was cut before what is in the file: every command refuses with exit code 78; a restore keeps it', async () => {
    const folder = join(root.path, 'cut')
    mkdirSync(folder)
    const service = await serveIn(folder)
    const signUp = (name: string) => service.call('POST /auth/api/signup', { body: { email: `${name}@example.com` } })
    const { token } = (await signUp('ana')).body
    const logPath = `${databasePath(folder)}-wal`
    const file = openSqliteFile(folder)
    const framesOf = () => Number(file.prepare('pragma wal_checkpoint(noop)').get()?.['log'])
    const framesBefore = framesOf()
    assert.equal((await service.call('POST /auth/tokens/revoke', { token })).status, 200)
    await signUp('eve')
    // Keeps the log from starting anew.
    file.exec('begin; select 1 from users')
    const other = openSqliteFile(folder)
    other.exec('pragma wal_checkpoint(passive)')
    await signUp('bob')
    service.process.kill('SIGKILL')
    await service.process.exited
    truncateSync(logPath, 32 + framesBefore * (24 + 4096))
    // Not closed before: the last connection that closes would copy the log.
    const killedCopy = join(root.path, 'cut-copy')
    cpSync(folder, killedCopy, { recursive: true })
    for (const open of [other, file]) open.close()

    const was = content(killedCopy)
    for (const args of commands) {
      const { code, output } = await runCli(args, { cwd: killedCopy }).exited
      assert.equal(code, 78, output)
      assert.match(
        output,
        /paylink-auth\.db-wal lacks changes that are already in .*\. Restore a backup\. \(Or move the log away and run/,
      )
    }
    assert.deepEqual(content(killedCopy), was)
    const aside = join(root.path, 'aside')
    cpSync(killedCopy, aside, { recursive: true })

    const old = readFileSync(databasePath(killedCopy))
    const hook = { NODE_OPTIONS: `--import=${HOOK}` }
    const restored = await runCli(['restore', backup, '--yes', '--json'], { cwd: killedCopy, env: hook }).exited
    assert.equal(restored.code, 0, restored.output)
    for (const name of readdirSync(join(killedCopy, 'copies'))) {
      const at = databasePath(join(killedCopy, 'copies', name))
      const isOld = existsSync(at) && readFileSync(at).equals(old)
      assert.equal(isOld && !existsSync(`${at}-wal`), false, `after step ${name} the old file is without its log`)
    }
    assert.match(restored.output, /The replaced database could not be read/)
    const keptAside = readdirSync(join(killedCopy, 'data')).find((name) => /-replaced-\w+$/.test(name)) ?? ''
    for (const unfit of [join(killedCopy, 'data', keptAside), databasePath(aside)]) {
      const { code, output } = await runCli(['restore', unfit, '--yes'], { cwd: killedCopy }).exited
      assert.equal(code, 1, output)
      assert.match(
        output,
        /Nothing was changed\. .*: its write-ahead log was cut or damaged, or the files were copied while a service ran\./,
      )
    }

    rmSync(`${databasePath(aside)}-wal`)
    const again = await serveIn(aside)
    assert.equal((await again.call('GET /users/me', { token })).status, 401)
    await again.stop()
    const users = (await runCli(['users', 'list'], { cwd: aside }).exited).output
    assert.match(users, /ana@example\.com/)
    assert.match(users, /eve@example\.com/)
    assert.doesNotMatch(users, /bob@example\.com/)
  })

  test('a restore of a link reads the log of the file that it names', async () => {
    const link = join(root.path, 'link.db')
    symlinkSync(databasePath(killed), link)
    const folder = join(root.path, 'from-link')
    mkdirSync(folder)
    const { code, output } = await runCli(['restore', link, '--yes'], { cwd: folder }).exited
    assert.equal(code, 0, output)
    assert.match((await runCli(['users', 'list'], { cwd: folder }).exited).output, /ana@example\.com/)
  })

  test('a database that was moved without its log, with a link in its place: every command refuses, until the log is moved too', async () => {
    const folder = join(root.path, 'linked')
    cpSync(killed, folder, { recursive: true })
    const [path, moved] = [databasePath(folder), join(folder, 'moved.db')]
    renameSync(path, moved)
    symlinkSync(moved, path)
    const elsewhere = { DATABASE_URL: `sqlite:${join(folder, 'new.db')}` }
    const attempts = [...commands, ['restore', backup, '--yes']].map((args) => ({ args, env: {} }))
    for (const { args, env } of [...attempts, { args: ['restore', path, '--yes'], env: elsewhere }]) {
      const { code, output } = await runCli(args, { cwd: folder, env }).exited
      assert.equal(code, 78, output)
      assert.match(output, /is a link to .*moved\.db, and a write-ahead log is beside the link/)
    }
    assert.ok(!existsSync(`${moved}-wal`))
    renameSync(`${path}-wal`, `${moved}-wal`)
    rmSync(`${path}-shm`)
    assert.match((await runCli(['users', 'list'], { cwd: folder }).exited).output, /ana@example\.com/)
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
