import assert from 'node:assert/strict'
import { test } from 'node:test'
import { repeat } from '../../src/lib/repeat.ts'
import { until } from '../support/mail/mailing.ts'

test('runs repeatedly, first after one interval', async () => {
  let runs = 0
  const repeated = repeat(1, async () => void runs++)
  assert.equal(runs, 0)
  await until(() => runs >= 3)
  await repeated.stop()
})

test('never overlaps: the next interval begins when the work is done', async () => {
  let atATime = 0
  let most = 0
  let runs = 0
  const repeated = repeat(1, async () => {
    most = Math.max(most, ++atATime)
    await new Promise((resolve) => setTimeout(resolve, 10))
    atATime -= 1
    runs += 1
  })
  await until(() => runs >= 3)
  await repeated.stop()
  assert.equal(most, 1)
  assert.equal(atATime, 0)
})

test('stop waits for the current run, and no other begins', async () => {
  let finish = () => {}
  const steps: string[] = []
  const repeated = repeat(1, async () => {
    steps.push('begun')
    await new Promise<void>((resolve) => (finish = resolve))
    steps.push('finished')
  })
  await until(() => steps.length === 1)
  const stopped = repeated.stop().then(() => steps.push('stopped'))
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(steps, ['begun'])
  finish()
  await stopped
  await new Promise((resolve) => setTimeout(resolve, 20))
  assert.deepEqual(steps, ['begun', 'finished', 'stopped'])
})

test('stop during an interval ends at once without a run; so does a second stop', async () => {
  let runs = 0
  const repeated = repeat(3_600_000, async () => void runs++)
  await repeated.stop()
  await repeated.stop()
  assert.equal(runs, 0)
})

test('the current run learns of a stop by its signal', async () => {
  let told: AbortSignal | undefined
  const repeated = repeat(1, async (stopping) => {
    told = stopping
    await new Promise((resolve) => stopping.addEventListener('abort', resolve))
  })
  await until(() => told !== undefined)
  assert.equal(told?.aborted, false)
  await repeated.stop()
  assert.equal(told?.aborted, true)
})
