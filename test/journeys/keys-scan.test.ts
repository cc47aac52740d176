/** `paylink-auth keys scan` finds leaked secrets in logs and trees, offline, and never repeats them. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createWriteStream, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { newKeySecret } from '../../src/accounts/key-secret.ts'
import { systemRandom } from '../../src/lib/random.ts'
import { temporaryFolder } from '../support/files.ts'
import { runCli } from '../support/process.ts'

const folder = temporaryFolder()
const secret = newKeySecret(systemRandom)
const scan = (...paths: string[]) => runCli(['keys', 'scan', ...paths], { cwd: folder.path }).exited

before(() => {
  mkdirSync(join(folder.path, 'tree', 'deep'), { recursive: true })
  mkdirSync(join(folder.path, 'clean'))
  writeFileSync(join(folder.path, 'tree', 'app.log'), `one\ntwo PAYLINK_KEY=${secret}\n`)
  writeFileSync(join(folder.path, 'tree', 'deep', 'binary'), Buffer.concat([Buffer.alloc(70_000, 0xff), Buffer.from(secret)]))
  writeFileSync(join(folder.path, 'clean', 'app.log'), `plk_4fR7sQ0bXy2LkTz9WcNd1e ${secret.slice(0, -1)}`)
  symlinkSync(join(folder.path, 'tree'), join(folder.path, 'clean', 'link'))
})
after(() => folder.remove())

test('each secret in a tree is told by file, line and column, and the exit code says that there are some', async () => {
  const { code, output } = await scan('tree')
  assert.equal(code, 2, output)
  assert.deepEqual(output.match(/^tree.*$/gm), [
    'tree/app.log:2:17: API key secret',
    'tree/deep/binary:1:70001: API key secret',
  ])
  assert.match(output, /2 files, 0\.1 MB looked through, 2 found\.\nReport/)
})

test('no secret is written out, not even in part', async () => {
  const { output } = await scan('tree', 'tree/app.log')
  for (let at = 4; at + 8 <= secret.length; at++) assert.equal(output.includes(secret.slice(at, at + 8)), false)
})

test('where there is none the exit code is 0; links are not followed', async () => {
  const { code, output } = await scan('clean')
  assert.equal(code, 0, output)
  assert.match(output, /^1 files, 0\.0 MB looked through, 0 found\.\n$/)
})

test('what cannot be read is told without a stack, hides nothing else, and the exit code says so', async () => {
  const missing = await scan('nowhere', 'clean')
  assert.equal(missing.code, 1, missing.output)
  assert.match(missing.output, /^nowhere: cannot be read \(ENOENT\)$/m)
  assert.match(missing.output, /1 files/)
  const both = await scan('nowhere', 'tree')
  assert.equal(both.code, 2)
  assert.match(both.output, /tree\/app\.log:2:17/)
  assert.doesNotMatch(missing.output + both.output, /^\s+at /m)
})

test('what is piped in is looked through', () => {
  const cli = fileURLToPath(new URL('../../cli/paylink-auth.ts', import.meta.url))
  const options = { input: `x\n${secret}\n`, encoding: 'utf8', stdio: 'pipe' } as const
  assert.throws(() => execFileSync(process.execPath, [cli, 'keys', 'scan', '-'], options), {
    status: 2,
    stdout: 'stdin:2:1: API key secret\n',
  })
})

test('without anything to look through it ends with 64 and the usage', async () => {
  for (const args of [['keys'], ['keys', 'scan'], ['keys', 'make', 'tree']]) {
    const { code, output } = await runCli(args, { cwd: folder.path }).exited
    assert.equal(code, 64, output)
    assert.match(output, /^Usage: /m)
  }
})

test('long work tells its progress', async () => {
  const file = createWriteStream(join(folder.path, 'long.log'))
  const megabyte = 'pls_ not a secret, line after line\n'.repeat(30_000)
  for (let n = 0; n < 300; n++) if (!file.write(megabyte)) await new Promise((resolve) => file.once('drain', resolve))
  file.end(secret)
  await finished(file)
  const { code, output } = await scan(...Array.from({ length: 12 }, () => 'long.log'))
  assert.equal(code, 2, output)
  assert.match(output, /… .* MB looked through, \d found/)
  assert.equal(output.match(/^long\.log:9000001:1: API key secret$/gm)?.length, 12)
})
