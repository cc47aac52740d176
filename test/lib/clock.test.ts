import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sleep, systemClock } from '../../src/lib/clock.ts'
import { stopwatch } from '../support/process/stopwatch.ts'

const CLOCK = fileURLToPath(new URL('../../src/lib/clock.ts', import.meta.url))

describe('sleep', () => {
  test('lasts as long as asked, and leaves no listener on its signal', async () => {
    const signal = new AbortController().signal
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => ((listeners += 1), add(...args))
    signal.removeEventListener = (...args: Parameters<typeof remove>) => ((listeners -= 1), remove(...args))
    const keepAlive = setInterval(() => {}, 1000)
    const start = performance.now()
    await sleep(30, signal)
    clearInterval(keepAlive)
    assert.ok(performance.now() - start >= 29)
    assert.equal(listeners, 0)
  })

  test('ends early by its signal, without a rejection', async () => {
    const controller = new AbortController()
    const tookMs = stopwatch()
    const sleeping = sleep(60_000, controller.signal)
    controller.abort()
    await sleeping
    assert.ok(tookMs() < 30_000)
  })

  test('ends at once when the signal is already aborted', async () => {
    const tookMs = stopwatch()
    await sleep(60_000, AbortSignal.abort())
    assert.ok(tookMs() < 30_000)
  })

  test('does not keep the process alive', async () => {
    const program = `import { sleep } from ${JSON.stringify(CLOCK)}
      void sleep(60_000, new AbortController().signal)`
    await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], { timeout: 60_000 })
  })
})

test('the system clock returns milliseconds since the epoch', () => {
  const before = Date.now()
  const now = systemClock.now()
  assert.ok(before <= now && now <= Date.now())
})
