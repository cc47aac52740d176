import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createRefreshingCache } from '../../src/lib/refreshing-cache.ts'
import { manualClock } from '../support/clock.ts'

const freshness = { freshForMs: 10_000, maxAgeOnErrorMs: 100_000, cooldownMs: 3000, failureCooldownMs: 200 }

/** A counting source and its cache: each load returns the next number. */
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

describe('a cached value', () => {
  test('is loaded at the first use, and not again while it is fresh', async () => {
    const { get, clock, source } = keptNumber()
    assert.equal(source.loads, 0)
    assert.equal(await get(), 1)
    clock.advance(freshness.freshForMs - 1)
    assert.equal(await get(), 1)
    clock.advance(1)
    assert.equal(await get(), 2)
    assert.equal(source.loads, 2)
  })

  test('is used while its source is unavailable, up to the bound', async () => {
    const { get, clock, source } = keptNumber()
    await get()
    source.isAway = true
    clock.advance(freshness.maxAgeOnErrorMs - 1)
    assert.equal(await get(), 1)
    clock.advance(1)
    await assert.rejects(get(), /away at load 2/)
    clock.advance(freshness.failureCooldownMs)
    await assert.rejects(get(), /away at load 3/)
    source.isAway = false
    clock.advance(freshness.failureCooldownMs)
    assert.equal(await get(), 4)
  })

  test('is not used longer because of failures in between', async () => {
    const { get, clock, source } = keptNumber()
    await get()
    source.isAway = true
    for (let passedMs = 0; passedMs < freshness.maxAgeOnErrorMs; passedMs += freshness.freshForMs) {
      assert.equal(await get(), 1)
      clock.advance(freshness.freshForMs)
    }
    await assert.rejects(get(), /away/)
  })

  test('is not refetched within the cooldown after a success, but after it', async () => {
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

  test('causes one call per cooldown while the source is unavailable; other callers are rejected at once', async () => {
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

  test('survives a failed refetch, which rejects', async () => {
    const { get, refetch, clock, source } = keptNumber()
    await get()
    source.isAway = true
    clock.advance(freshness.cooldownMs)
    await assert.rejects(refetch(), /away at load 2/)
    assert.equal(await get(), 1)
    assert.equal(source.loads, 2)
  })

  test('is loaded once for concurrent callers, on success and on failure', async () => {
    const { get, refetch, clock, source } = keptNumber()
    const all = (count: number) =>
      Promise.allSettled(Array.from({ length: count }, (_, index) => (index % 2 ? get() : refetch())))
    assert.deepEqual(
      await all(20),
      Array.from({ length: 20 }, () => ({ status: 'fulfilled', value: 1 })),
    )
    clock.advance(freshness.maxAgeOnErrorMs)
    source.isAway = true
    assert.deepEqual(new Set((await all(20)).map(({ status }) => status)), new Set(['rejected']))
    assert.equal(source.loads, 2)
  })

  test('counts as old after the clock is set back, and not as fresh for ever', async () => {
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

  test('is loaded again after a load that throws synchronously', async () => {
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
