import assert from 'node:assert/strict'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { TestContext } from 'node:test'
import { createLineWriter } from '../../src/lib/line-writer.ts'
import { cannotMount, mountSmallDisk } from '../support/database/small-disk.ts'
import { temporaryFolder } from '../support/files.ts'
import { until } from '../support/until.ts'

const MAX_BYTES = 100_000
/** Of 1000 bytes. */
const line = (n: number): string => `${String(n).padEnd(999, '.')}\n`

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
    const lines = createLineWriter(openFile(t, path), 10_000_000)
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
    const lines = createLineWriter(openFile(t, path), MAX_BYTES)
    // The first is on its way, and its turn of the event loop has not ended.
    for (const text of ['first\n', 'second\n', 'third\n']) lines.write(text)
    lines.writeRest()
    assert.match(readFileSync(path, 'utf8'), /second\nthird\n/)
  })

  test('does not wait for a full disk, not at the end of the process either', async (t) => {
    const lines = createLineWriter(openFile(t, '/dev/full'), MAX_BYTES)
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
      const lines = createLineWriter(openFile(t, path), MAX_BYTES)
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
      const numbers = whole.map((text) => Number.parseInt(text))
      assert.deepEqual(whole, numbers.map(line))
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b),
      )
      assert.ok(numbers.length > 95 && numbers.length < 120, `${numbers.length} lines`)
    },
  )
})
