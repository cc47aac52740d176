import assert from 'node:assert/strict'
import { test } from 'node:test'
import { watchClock } from '../../src/domain/steady-clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

function watched(serverTimeMs: (nowMs: number) => number | undefined = () => undefined) {
  let wallMs = 1_800_000_000_000
  let elapsed = 5
  const isSteady = watchClock(
    { now: () => wallMs },
    () => elapsed,
    async () => serverTimeMs(wallMs),
  )
  return {
    isSteady,
    wait: (ms: number, driftMs = 0) => {
      elapsed += ms
      wallMs += ms + driftMs
    },
  }
}

test('a clock is steady after an hour, and again an hour after a jump', async () => {
  for (const jumpMs of [800 * DAY_MS, -DAY_MS, 2 * MINUTE_MS]) {
    const { isSteady, wait } = watched()
    assert.equal(await isSteady(), false)
    wait(HOUR_MS - 1)
    assert.equal(await isSteady(), false)
    wait(1, MINUTE_MS / 2)
    assert.equal(await isSteady(), true)
    wait(10 * MINUTE_MS, jumpMs)
    assert.equal(await isSteady(), false)
    wait(HOUR_MS - 1)
    assert.equal(await isSteady(), false)
    wait(1)
    assert.equal(await isSteady(), true)
  }
})

test('a clock that differs from the database server’s is never steady', async () => {
  for (const [differenceMs, expected] of [
    [MINUTE_MS, true],
    [MINUTE_MS + 1, false],
    [-800 * DAY_MS, false],
  ] as const) {
    const { isSteady, wait } = watched((nowMs) => nowMs + differenceMs)
    wait(2 * HOUR_MS)
    assert.equal(await isSteady(), expected)
  }
})
