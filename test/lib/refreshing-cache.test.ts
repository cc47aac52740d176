/** A value from elsewhere: when its source is asked, and what is used when the source is away. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRefreshingCache } from '../../src/lib/refreshing-cache.ts'
import { manualClock } from '../support/clock.ts'

const freshness = { freshForMs: 10_000, heldForMs: 100_000, cooldownMs: 3000, failureCooldownMs: 200 }

/** A source that counts, and the value kept of it: each load brings the next number. */
function keptNumber() {
  const clock = manualClock()
  const source = { loads: 0, isAway: false }
  const kept = createRefreshingCache(
    async () => {
      source.loads += 1
      await new Promise((resolve) => setImmediate(resolve))
      if (source.isAway) throw new Error(`away at load ${source.loads}`)
      return source.loads
    },
    freshness,
    clock,
  )
  return { ...kept, clock, source }
}

describe('a value from elsewhere', () => {
  test('is asked for at the first use, and not again while it is fresh', async () => {
    const { get, clock, source } = keptNumber()
    assert.equal(source.loads, 0)
    assert.equal(await get(), 1)
    clock.advance(freshness.freshForMs - 1)
    assert.equal(await get(), 1)
    clock.advance(1)
    assert.equal(await get(), 2)
    assert.equal(source.loads, 2)
  })

  test('is held while its source is away, up to the bound and no longer', async () => {
    const { get, clock, source } = keptNumber()
    await get()
    source.isAway = true
    clock.advance(freshness.heldForMs - 1)
    assert.equal(await get(), 1)
    clock.advance(1)
    await assert.rejects(get(), /away at load 2/)
    clock.advance(freshness.failureCooldownMs)
    await assert.rejects(get(), /away at load 3/)
    source.isAway = false
    clock.advance(freshness.failureCooldownMs)
    assert.equal(await get(), 4)
  })

  test('is not held longer for the failures in between', async () => {
    const { get, clock, source } = keptNumber()
    await get()
    source.isAway = true
    for (let passedMs = 0; passedMs < freshness.heldForMs; passedMs += freshness.freshForMs) {
      assert.equal(await get(), 1)
      clock.advance(freshness.freshForMs)
    }
    await assert.rejects(get(), /away/)
  })

  test('is the one at hand within the cooldown after a success, and a new one after it', async () => {
    const { get, refetch, clock, source } = keptNumber()
    await get()
    clock.advance(freshness.cooldownMs - 1)
    assert.equal(await refetch(), 1)
    assert.equal(source.loads, 1)
    clock.advance(1)
    assert.equal(await refetch(), 2)
    assert.equal(await get(), 2)
    assert.equal(source.loads, 2)
  })

  test('costs its source one call per cooldown while it is away, and everybody else is told at once', async () => {
    const { get, refetch, clock, source } = keptNumber()
    source.isAway = true
    await assert.rejects(get(), /away at load 1/)
    clock.advance(freshness.failureCooldownMs - 1)
    await assert.rejects(get(), /away at load 1/)
    await assert.rejects(refetch(), /away at load 1/)
    assert.equal(source.loads, 1)
    source.isAway = false
    clock.advance(1)
    assert.equal(await get(), 2)
  })

  test('is not lost by a failed look for a newer one, which the one who looked is told of', async () => {
    const { get, refetch, clock, source } = keptNumber()
    await get()
    source.isAway = true
    clock.advance(freshness.cooldownMs)
    await assert.rejects(refetch(), /away at load 2/)
    assert.equal(await get(), 1)
    assert.equal(source.loads, 2)
  })

  test('is loaded once for many callers at a time, whether it comes or fails', async () => {
    const { get, refetch, clock, source } = keptNumber()
    const all = (count: number) =>
      Promise.allSettled(Array.from({ length: count }, (_, index) => (index % 2 ? get() : refetch())))
    assert.deepEqual(
      await all(20),
      Array.from({ length: 20 }, () => ({ status: 'fulfilled', value: 1 })),
    )
    clock.advance(freshness.heldForMs)
    source.isAway = true
    assert.deepEqual(new Set((await all(20)).map(({ status }) => status)), new Set(['rejected']))
    assert.equal(source.loads, 2)
  })

  test('is old, not fresh for ever, once the clock is set back', async () => {
    const { get, refetch, clock, source } = keptNumber()
    await get()
    clock.advance(-1)
    assert.equal(await get(), 2)
    clock.advance(-1)
    assert.equal(await refetch(), 3)
    source.isAway = true
    clock.advance(-1)
    await assert.rejects(get(), /away at load 4/)
    clock.advance(-1)
    source.isAway = false
    assert.equal(await get(), 5)
  })

  test('whose load throws before it waits for anything is asked for again later', async () => {
    const clock = manualClock()
    let loads = 0
    const load = (): Promise<number> => {
      loads += 1
      if (loads === 1) throw new Error('at once')
      return Promise.resolve(loads)
    }
    const { get } = createRefreshingCache(load, freshness, clock)
    await assert.rejects(get(), /at once/)
    clock.advance(freshness.failureCooldownMs)
    assert.equal(await get(), 2)
  })
})
