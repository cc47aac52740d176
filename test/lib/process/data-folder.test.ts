import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { ensureFolder, readOrCreateSecret, realPathOf } from '../../../src/lib/process/data-folder.ts'
import { systemRandom } from '../../../src/lib/random.ts'
import { hmacSecret } from '../../../src/config/parsers.ts'
import { temporaryFolder } from '../../support/files.ts'

const source = (name: string) => JSON.stringify(new URL(`../../../src/lib/${name}`, import.meta.url).href)
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

let folder: ReturnType<typeof temporaryFolder>
let data: string
beforeEach(() => {
  folder = temporaryFolder()
  data = join(folder.path, 'deep', 'data')
})
afterEach(() => folder.remove())

describe('ensureFolder', () => {
  test('missing folders are created for their owner only', () => {
    ensureFolder(data)
    assert.equal(modeOf(data), '700')
    assert.equal(modeOf(join(folder.path, 'deep')), '700')
  })

  test('an existing folder keeps its mode', () => {
    mkdirSync(data, { recursive: true, mode: 0o750 })
    ensureFolder(data)
    assert.equal(modeOf(data), '750')
  })

  test('it throws at once when no folder can be created', () => {
    const file = join(folder.path, 'file')
    writeFileSync(file, '')
    symlinkSync(join(folder.path, 'unmounted'), join(folder.path, 'link'))
    for (const place of [file, join(file, 'data'), join(folder.path, 'link'), '/proc/paylink-auth/data']) {
      assert.throws(() => ensureFolder(place), { syscall: 'mkdir' }, place)
    }
    assert.deepEqual(readdirSync(folder.path).toSorted(), ['file', 'link'])
  })
})

describe('realPathOf', () => {
  const at = (...names: string[]) => join(folder.path, ...names)

  test('a missing file has the same path by every chain of links to it', () => {
    mkdirSync(at('releases', '42'), { recursive: true })
    mkdirSync(at('shared'))
    symlinkSync(at('releases', '42'), at('current'))
    symlinkSync('../../shared/x.db', at('releases', '42', 'x.db'))
    symlinkSync(at('current', 'x.db'), at('x.db'))
    for (const name of [at('x.db'), at('current', 'x.db'), at('shared', 'x.db')])
      assert.equal(realPathOf(name), at('shared', 'x.db'), name)
    writeFileSync(at('shared', 'x.db'), '')
    assert.equal(realPathOf(at('x.db')), at('shared', 'x.db'))
  })

  test('of links that form a loop it returns one', () => {
    symlinkSync('b', at('a'))
    symlinkSync('a', at('b'))
    assert.ok([at('a'), at('b')].includes(realPathOf(at('a'))))
  })
})

describe('readOrCreateSecret', () => {
  test('the first call creates a valid secret, in a file and folder of its owner only', () => {
    const secret = readOrCreateSecret(data, systemRandom)
    assert.equal(hmacSecret(secret), secret)
    assert.equal(readFileSync(join(data, 'jwt-secret'), 'utf8'), `${secret}\n`)
    assert.equal(modeOf(join(data, 'jwt-secret')), '600')
    assert.equal(modeOf(data), '700')
    assert.deepEqual(readdirSync(data), ['jwt-secret'])
  })

  test('later calls read the secret and change nothing', () => {
    const secret = readOrCreateSecret(data, systemRandom)
    const before = statSync(join(data, 'jwt-secret'))
    assert.equal(readOrCreateSecret(data, systemRandom), secret)
    const { mtimeMs, ino } = statSync(join(data, 'jwt-secret'))
    assert.deepEqual([mtimeMs, ino], [before.mtimeMs, before.ino])
  })

  test('an existing secret is used, without surrounding white space', () => {
    mkdirSync(data, { recursive: true })
    writeFileSync(join(data, 'jwt-secret'), '  an older secret of at least 32 bytes\n\n')
    assert.equal(readOrCreateSecret(data, systemRandom), 'an older secret of at least 32 bytes')
  })

  test('each folder gets its own secret', () => {
    assert.notEqual(
      readOrCreateSecret(data, systemRandom),
      readOrCreateSecret(join(folder.path, 'other'), systemRandom),
    )
  })

  test('a secret that another process creates meanwhile wins, and no draft is left', () => {
    const winner = 'the secret of the process that was first'
    // Random bytes are requested only after the file was not found: the other process is faster here.
    const overtaken = {
      ...systemRandom,
      bytes: (length: number) => {
        writeFileSync(join(data, 'jwt-secret'), winner)
        return systemRandom.bytes(length)
      },
    }
    assert.equal(readOrCreateSecret(data, overtaken), winner)
    assert.deepEqual(readdirSync(data), ['jwt-secret'])
  })

  test('concurrent starts all end with the secret in the file', async () => {
    const program = `
      import { readOrCreateSecret } from ${source('process/data-folder.ts')}
      import { systemRandom } from ${source('random.ts')}
      process.stdout.write('ready\\n')
      process.stdin.once('data', () => {
        console.log(readOrCreateSecret(${JSON.stringify(data)}, systemRandom))
        process.exit()
      })`
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    await Promise.all(children.map((child) => once(child.stdout, 'readable')))
    for (const child of children) child.stdin.write('go\n')
    const outputs = await Promise.all(children.map((child) => text(child.stdout)))
    const kept = readFileSync(join(data, 'jwt-secret'), 'utf8').trim()
    assert.deepEqual(
      outputs,
      children.map(() => `ready\n${kept}\n`),
    )
    assert.deepEqual(readdirSync(data), ['jwt-secret'])
  })
})
