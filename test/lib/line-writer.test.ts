import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readFileSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { createLineWriter } from '../../src/lib/line-writer.ts'
import { cannotMount, mountSmallDisk } from '../support/database/small-disk.ts'
import { temporaryFolder } from '../support/files.ts'
import { until } from '../support/until.ts'

const MODULE = new URL('../../src/lib/line-writer.ts', import.meta.url).href
const MAX_BYTES = 100_000
/** Of 1000 bytes. */
const line = (n: number): string => `${String(n).padEnd(999, '.')}\n`
const lostLine = (count: number): string => `${count} lost\n`
/** As large as the buffer of a pipe. */
const PIPE_LINES = 64

describe('a line writer', () => {
  let folder: ReturnType<typeof temporaryFolder>
  before(() => {
    folder = temporaryFolder()
  })
  after(() => folder.remove())

  function openFile(t: TestContext, path: string): number {
    const descriptor = openSync(path, 'a')
    t.after(() => closeSync(descriptor))
    return descriptor
  }

  test('writes every line, in order', async (t) => {
    const path = join(folder.path, 'all')
    const lines = createLineWriter(openFile(t, path), { maxBytes: 10_000_000, lostLine })
    const written = Array.from({ length: 3000 }, (_, n) => line(n))
    for (const [n, text] of written.entries()) {
      lines.write(text)
      if (n % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    await until(() => statSync(path).size === Buffer.byteLength(written.join('')))
    assert.equal(readFileSync(path, 'utf8'), written.join(''))
  })

  test('writes the rest at the end of the process', (t) => {
    const path = join(folder.path, 'rest')
    const lines = createLineWriter(openFile(t, path), { maxBytes: MAX_BYTES, lostLine })
    for (const text of ['first\n', 'second\n', 'third\n']) lines.write(text)
    lines.writeRest()
    assert.equal(readFileSync(path, 'utf8'), 'first\nsecond\nthird\n')
  })

  test('says at the end of the process how many lines were lost', (t) => {
    const path = join(folder.path, 'lost')
    const lines = createLineWriter(openFile(t, path), { maxBytes: 12, lostLine })
    for (const text of ['first\n', 'second\n', 'third\n']) lines.write(text)
    lines.writeRest()
    assert.equal(readFileSync(path, 'utf8'), 'first\n2 lost\n')
  })

  test('does not wait for a full disk, not at the end of the process either', async (t) => {
    const lines = createLineWriter(openFile(t, '/dev/full'), { maxBytes: MAX_BYTES, lostLine })
    lines.write(line(0))
    await new Promise((resolve) => setTimeout(resolve, 50))
    const startedMs = performance.now()
    lines.writeRest()
    assert.ok(performance.now() - startedMs < 1000)
  })

  test(
    'continues with complete lines when a full disk has space again; lines beyond the limit are lost',
    { skip: cannotMount },
    async (t) => {
      const disk = mountSmallDisk(1)
      t.after(() => disk.remove())
      const path = join(disk.path, 'log')
      const lines = createLineWriter(openFile(t, path), { maxBytes: MAX_BYTES, lostLine })
      disk.fill(8)
      for (let n = 0; n < 1000; n += 1) {
        lines.write(line(n))
        if (n % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
      }
      disk.free()
      await until(() => statSync(path).size >= MAX_BYTES - 1000)
      lines.write('last\n')
      const found = () => readFileSync(path, 'utf8')
      await until(() => found().endsWith('last\n'))
      const whole = found()
        .split(/(?<=\n)/)
        .slice(0, -1)
      const numbers = whole.filter((text) => !text.endsWith(' lost\n')).map((text) => Number.parseInt(text))
      assert.ok(numbers.length > 95 && numbers.length < 120, `${numbers.length} lines`)
      let next = 0
      for (const text of whole) {
        if (text.endsWith(' lost\n')) next += Number.parseInt(text)
        else assert.equal(text, line(next++))
      }
      assert.equal(next, 1000)
    },
  )

  describe('on a pipe or a socket', () => {
    let pipes = 0
    const read = (from: number): string => {
      const buffer = Buffer.alloc(1 << 20)
      try {
        return buffer.toString('utf8', 0, readSync(from, buffer))
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error
        return ''
      }
    }

    /** Its writing end blocks, as one that another process has set so. */
    function openPipe(t: TestContext) {
      const path = join(folder.path, `pipe-${(pipes += 1)}`)
      execFileSync('mkfifo', [path])
      const openReader = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
      const reader = openReader()
      const writer = openSync(path, 'w')
      t.after(() => closeSync(writer))
      return { reader, writer, openReader }
    }

    test('does not wait longer than a second for a stalled reader at the end of the process', async (t) => {
      const { reader, writer } = openPipe(t)
      t.after(() => closeSync(reader))
      const lines = createLineWriter(writer, { maxBytes: MAX_BYTES, lostLine })
      for (let n = 0; n < 2 * PIPE_LINES; n += 1) lines.write(line(n))
      await new Promise((resolve) => setTimeout(resolve, 50))
      const startedMs = performance.now()
      lines.writeRest()
      const tookMs = performance.now() - startedMs
      assert.ok(tookMs > 900 && tookMs < 3000, `${tookMs} ms`)
    })

    test('continues when another reader comes, and says how many lines were lost', async (t) => {
      const { reader, writer, openReader } = openPipe(t)
      const lines = createLineWriter(writer, { maxBytes: 10_000, lostLine })
      closeSync(reader)
      for (let n = 0; n < 12; n += 1) lines.write(line(n))
      await new Promise((resolve) => setTimeout(resolve, 50))
      const next = openReader()
      t.after(() => closeSync(next))
      let text = ''
      await until(() => (text += read(next)).length >= 10_000)
      lines.write('last\n')
      await until(() => (text += read(next)).endsWith('last\n'))
      assert.equal(text, `${Array.from({ length: 10 }, (_, n) => line(n)).join('')}2 lost\nlast\n`)
    })

    for (const [what, command] of [
      ['a pipe', '"$0" "$@" | cat'],
      // Node's pipes are sockets.
      ['a socket', 'exec "$0" "$@"'],
    ] as const) {
      test(`${what}: loses nothing at the end of the process when the reader reads`, async () => {
        const program = `
          import { createLineWriter } from '${MODULE}'
          process.stdout.on('error', () => {})
          const lines = createLineWriter(1, { maxBytes: 10_000_000, lostLine: String })
          process.on('exit', () => lines.writeRest())
          const write = (from) => { for (let n = from; n < from + 600; n++) lines.write(String(n).padEnd(999, '.') + '\\n') }
          write(0)
          setTimeout(() => { write(600); process.exit(1) }, 1)
        `
        const args = ['-c', command, process.execPath, '--input-type=module', '-e', program]
        const child = spawn('sh', args, { stdio: ['ignore', 'pipe', 'inherit'] })
        let text = ''
        child.stdout.on('data', (data: Buffer) => (text += data.toString()))
        await once(child, 'close')
        assert.equal(text, Array.from({ length: 1200 }, (_, n) => line(n)).join(''))
      })
    }
  })
})
