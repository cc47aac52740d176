import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { newKeySecret } from '../../src/domain/keys/key-secret.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { temporaryFolder } from '../support/files.ts'
import { until } from '../support/mail/mailing.ts'
import { CLI } from '../support/process/shipped-build.ts'
import { runCli } from '../support/process/process.ts'

const folder = temporaryFolder()
const secret = newKeySecret(systemRandom)
const scan = (...paths: string[]) => runCli(['keys', 'scan', ...paths], { cwd: folder.path }).exited

before(() => {
  mkdirSync(join(folder.path, 'tree', 'deep'), { recursive: true })
  mkdirSync(join(folder.path, 'clean'))
  writeFileSync(join(folder.path, 'tree', 'app.log'), `one\ntwo PAYLINK_KEY=${secret}\n`)
  writeFileSync(
    join(folder.path, 'tree', 'deep', 'binary'),
    Buffer.concat([Buffer.alloc(70_000, 0xff), Buffer.from(secret)]),
  )
  writeFileSync(join(folder.path, 'clean', 'app.log'), `plk_4fR7sQ0bXy2LkTz9WcNd1e ${secret.slice(0, -1)}`)
  symlinkSync(join(folder.path, 'tree'), join(folder.path, 'clean', 'link'))
  symlinkSync(join(folder.path, 'tree', 'app.log'), join(folder.path, 'link.log'))
  symlinkSync(join(folder.path, 'nowhere'), join(folder.path, 'dangling'))
})
after(() => folder.remove())

test('every secret in a tree is reported by file, line and column, and by the exit code', async () => {
  const { code, output } = await scan('tree')
  assert.equal(code, 2, output)
  assert.deepEqual(output.match(/^tree.*$/gm), [
    'tree/app.log:2:17: API key secret',
    'tree/deep/binary:1:70001: API key secret',
  ])
  assert.match(output, /2 files, 0\.1 MB scanned, 2 found\.\nReport/)
  const asJson = await scan('tree', '--json')
  assert.equal(asJson.code, 2)
  const { found, files } = JSON.parse(/^\{[^]*^\}/m.exec(asJson.output)?.[0] ?? '')
  assert.deepEqual([found[0], found.length, files], [{ file: 'tree/app.log', line: 2, column: 17 }, 2, 2])
})

test('no part of a secret is printed', async () => {
  const { output } = await scan('tree', 'tree/app.log')
  for (let at = 4; at + 8 <= secret.length; at++) assert.equal(output.includes(secret.slice(at, at + 8)), false)
})

test('without findings the exit code is 0, and symbolic links inside a folder are not followed', async () => {
  const { code, output } = await scan('clean')
  assert.equal(code, 0, output)
  assert.match(output, /^1 files, 0\.0 MB scanned, 0 found\.\n$/)
})

test('an unreadable file is reported without a stack trace and by the exit code, and the other files are scanned', async () => {
  const missing = await scan('nowhere', 'clean')
  assert.equal(missing.code, 1, missing.output)
  assert.match(missing.output, /^nowhere: cannot be read \(ENOENT\)$/m)
  assert.match(missing.output, /1 files/)
  const both = await scan('nowhere', 'tree')
  assert.equal(both.code, 2)
  assert.match(both.output, /tree\/app\.log:2:17/)
  assert.doesNotMatch(missing.output + both.output, /^\s+at /m)
})

test('standard input is scanned', () => {
  const options = { input: `x\n${secret}\n`, encoding: 'utf8' } as const
  const { status, stdout } = spawnSync(process.execPath, [CLI, 'keys', 'scan', '-'], options)
  assert.deepEqual([status, stdout], [2, 'stdin:2:1: API key secret\n'])
})

test('without input it prints the usage and exits with 64', async () => {
  for (const args of [['keys'], ['keys', 'scan'], ['keys', 'make', 'tree']]) {
    const { code, output } = await runCli(args, { cwd: folder.path }).exited
    assert.equal(code, 64, output)
    assert.match(output, /^Usage: /m)
  }
})

test('a symbolic link, a pipe or a device given by name is scanned', async () => {
  const linked = await scan('clean/link', 'link.log')
  assert.equal(linked.code, 2, linked.output)
  assert.match(linked.output, /^clean\/link\/app\.log:2:17: API key secret$/m)
  assert.match(linked.output, /^link\.log:2:17: API key secret$/m)
  const command = '"$0" "$1" keys scan /dev/null <(printf "x\\n%s" "$2")'
  const piped = spawnSync('bash', ['-c', command, process.execPath, CLI, secret], { encoding: 'utf8' })
  assert.equal(piped.status, 2, piped.stderr)
  assert.match(piped.stdout, /^\/dev\/fd\/\d+:2:1: API key secret\n$/)
  assert.match(piped.stderr, /^2 files/)
})

test('a path that does not exist or cannot be read is reported, and by the exit code', async () => {
  const socket = createServer().listen(join(folder.path, 'socket'))
  await once(socket, 'listening')
  const { code, output } = await scan('socket', 'dangling', 'clean')
  socket.close()
  assert.equal(code, 1, output)
  assert.match(output, /^socket: cannot be read \(ENXIO\)$/m)
  assert.match(output, /^dangling: cannot be read \(ENOENT\)$/m)
  assert.match(output, /^1 files/m)
})

test('a long scan reports its progress', { timeout: 300_000 }, async () => {
  const child = spawn(process.execPath, [CLI, 'keys', 'scan', '-'])
  let told = ''
  child.stderr.on('data', (chunk: Buffer) => void (told += chunk.toString()))
  const exited = once(child, 'close')
  child.stdin.write(`${'x'.repeat(200_000)}\n${secret}\n`)
  await until(() => /… 0 files, 0\.2 MB scanned, 1 found\n/.test(told), 'progress')
  child.stdin.end()
  assert.equal((await exited)[0], 2)
  assert.match(told, /^1 files, 0\.2 MB scanned, 1 found\.$/m)
})
