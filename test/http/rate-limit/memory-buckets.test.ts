import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { createMemoryBuckets } from '../../../src/http/rate-limit/memory-buckets.ts'
import { fullAtAfter, stateOf, takeOf } from '../../../src/lib/token-bucket.ts'
import type { BucketState, Take } from '../../../src/lib/token-bucket.ts'
import { manualClock } from '../../support/clock.ts'

// 5 per 25 minutes: one refill every 5.
const RATE = { count: 5, seconds: 1500 }
const REFILL_MS = 300_000

/** How many tokens can be taken, one after the other. */
async function drain(take: () => Promise<BucketState>): Promise<number> {
  let taken = 0
  while ((await take()).isAllowed) taken += 1
  return taken
}

const anyRate = fc.record({
  count: fc.integer({ min: 1, max: 20 }),
  seconds: fc.integer({ min: 1, max: 100 }),
})
const waits = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 })

function bucketOf(rate = RATE, blockSeconds = 0) {
  const clock = manualClock()
  const buckets = createMemoryBuckets()
  const takeAll = async (takes: readonly Take[]) => (await buckets(takes)).states
  const takeOne = (key: string) => takeOf(key, rate, clock.now(), { blockSeconds })
  const take = async (key: string): Promise<BucketState> => {
    const [state] = await takeAll([takeOne(key)])
    assert.ok(state)
    return state
  }
  return { clock, buckets, takeAll, takeOne, take, drain: (key = 'ana') => drain(() => take(key)) }
}

describe('a token bucket', () => {
  test('grants its burst at once, with a decreasing remainder', async () => {
    const { take } = bucketOf()
    const states = []
    for (let n = 0; n < 6; n += 1) states.push(await take('ana'))
    assert.deepEqual(
      states.map(({ isAllowed }) => isAllowed),
      [true, true, true, true, true, false],
    )
    assert.deepEqual(
      states.map(({ remaining }) => remaining),
      [4, 3, 2, 1, 0, 0],
    )
  })

  test('refills evenly, one token at a time, and never beyond full', async () => {
    const { clock, drain: drainAll } = bucketOf()
    assert.equal(await drainAll(), 5)
    for (const [waited, expected] of [
      [1, 1],
      [2, 2],
      [5, 5],
      [50, 5],
      [1.5, 1],
      [0.5, 1],
    ] as const) {
      clock.advance(waited * REFILL_MS)
      assert.equal(await drainAll(), expected, `after ${waited} refills`)
    }
  })

  test('gives the time of the next token to the millisecond', async () => {
    const { clock, take, drain: drainAll } = bucketOf()
    await drainAll()
    const { isAllowed, msBeforeNext } = await take('ana')
    assert.deepEqual([isAllowed, msBeforeNext], [false, REFILL_MS])
    clock.advance(msBeforeNext - 1)
    assert.deepEqual(await take('ana'), { isAllowed: false, remaining: 0, msBeforeNext: 1 })
    clock.advance(1)
    assert.equal((await take('ana')).isAllowed, true)
  })

  test('is not drained by calls that it refuses: repeated calls delay nothing', async () => {
    const { clock, take, drain: drainAll } = bucketOf()
    await drainAll()
    for (let asked = 0; asked < 100; asked += 1) await take('ana')
    clock.advance(REFILL_MS)
    assert.equal((await take('ana')).isAllowed, true)
  })

  test('is independent of other keys, also of property names of Object.prototype', async () => {
    const { drain: drainAll } = bucketOf()
    for (const key of ['ana', 'bob', '__proto__', 'constructor', '']) assert.equal(await drainAll(key), 5, key)
  })

  test('leaves the tokens of a take that needs more than it takes', () => {
    const nowMs = Date.UTC(2030, 0, 1)
    let fullAtMs = 0
    for (let taken = 0; ; taken += 1) {
      const next = fullAtAfter(takeOf('ana', RATE, nowMs, { needed: 2 }), fullAtMs)
      if (next === undefined) return assert.equal(taken, 4)
      fullAtMs = next
      assert.equal(stateOf(takeOf('ana', RATE, nowMs), { foundMs: 0, takenMs: fullAtMs }).remaining, 4 - taken)
    }
  })

  test('grants in any period no more than its burst and the refill of that period', async () => {
    await fc.assert(
      fc.asyncProperty(anyRate, waits, async ({ count, seconds }, waitsMs) => {
        const { clock, take } = bucketOf({ count, seconds })
        const startMs = clock.now()
        let taken = 0
        for (const waitMs of waitsMs) {
          clock.advance(waitMs)
          const { isAllowed, remaining, msBeforeNext } = await take('ana')
          taken += isAllowed ? 1 : 0
          assert.ok(remaining >= 0 && remaining < count)
          assert.ok(msBeforeNext > 0 && msBeforeNext <= Math.ceil((seconds * 1000) / count))
          const refilled = ((clock.now() - startMs) * count) / (seconds * 1000)
          assert.ok(taken <= count + refilled, `${taken} of ${count} + ${refilled}`)
        }
      }),
    )
  })
})

describe('a bucket with a block', () => {
  const BLOCK_MS = 900_000
  const blocking = () => bucketOf({ count: 3, seconds: 60 }, BLOCK_MS / 1000)

  test('grants nothing for the block’s duration after its last token, and reports it', async () => {
    const { clock, take } = blocking()
    const states = [await take('ana'), await take('ana'), await take('ana'), await take('ana')]
    assert.deepEqual(
      states.map(({ isAllowed }) => isAllowed),
      [true, true, true, false],
    )
    assert.deepEqual(
      states.map(({ msBeforeNext }) => msBeforeNext),
      [20_000, 20_000, BLOCK_MS, BLOCK_MS],
    )
    clock.advance(BLOCK_MS - 1)
    assert.deepEqual(await take('ana'), { isAllowed: false, remaining: 0, msBeforeNext: 1 })
    clock.advance(1)
    assert.equal((await take('ana')).isAllowed, true)
  })

  test('is blocked again by a token taken right after the block, and refills like any other', async () => {
    const { clock, take, drain: drainAll } = blocking()
    await drainAll()
    clock.advance(BLOCK_MS)
    assert.equal(await drainAll(), 1)
    assert.equal((await take('ana')).msBeforeNext, BLOCK_MS)
    clock.advance(BLOCK_MS + 40_000)
    assert.equal(await drainAll(), 3)
  })

  test('is never blocked by tokens taken at the refill rate', async () => {
    const { clock, take } = blocking()
    for (let n = 0; n < 20; n += 1) {
      assert.equal((await take('ana')).isAllowed, true)
      clock.advance(20_000)
    }
  })
})

describe('several buckets of one call', () => {
  const others = { count: 9, seconds: 60 }

  test('40 concurrent calls of one client drain an address by no more than that client’s limit', async () => {
    const { takeAll, takeOne, take } = bucketOf()
    const narrow = takeOf('narrow', { count: 1, seconds: 60 }, takeOne('address').nowMs)
    const calls = await Promise.all(Array.from({ length: 40 }, () => takeAll([narrow, takeOne('address')])))
    assert.equal(calls.filter((states) => states.every(({ isAllowed }) => isAllowed)).length, 1)
    const { isAllowed, remaining } = await take('address')
    assert.deepEqual([isAllowed, remaining], [true, 3])
  })

  test('have what they had before when a take is given back, and others keep what was taken', async () => {
    const { buckets, takeOne, take } = bucketOf()
    await take('ana')
    const { giveBack } = await buckets([takeOne('ana'), takeOne('bob')])
    await take('cleo')
    giveBack()
    const remaining = async (key: string) => (await take(key)).remaining
    assert.deepEqual(await Promise.all(['ana', 'bob', 'cleo'].map(remaining)), [3, 4, 3])
  })

  test('lose nothing when one refuses, which reports its block', async () => {
    const { takeAll, takeOne } = bucketOf({ count: 2, seconds: 60 }, 900)
    const takes = [takeOf('wide', others, takeOne('ana').nowMs), takeOne('ana')]
    for (let n = 0; n < 2; n += 1) assert.ok((await takeAll(takes)).every(({ isAllowed }) => isAllowed))
    for (let n = 0; n < 5; n += 1) {
      const [wide, blocked] = await takeAll(takes)
      assert.deepEqual([wide?.isAllowed, wide?.remaining], [true, 7])
      assert.deepEqual(blocked, { isAllowed: false, remaining: 0, msBeforeNext: 900_000 })
    }
  })
})

test('a caller that waits for the reported seconds is not refused again, even after a block', async () => {
  await fc.assert(
    fc.asyncProperty(anyRate, waits, fc.integer({ min: 0, max: 60 }), async (rate, waitsMs, blockSeconds) => {
      const { clock, take } = bucketOf(rate, blockSeconds)
      for (const waitMs of waitsMs) {
        clock.advance(waitMs)
        const { isAllowed, msBeforeNext } = await take('ana')
        if (isAllowed) continue
        clock.advance(Math.ceil(msBeforeNext / 1000) * 1000)
        assert.equal((await take('ana')).isAllowed, true)
      }
    }),
  )
})

test('setting the clock back grants nobody more, and blocks nobody for longer than an empty bucket does', async () => {
  for (const [blockSeconds, waitMs] of [
    [0, REFILL_MS],
    [900, 900_000],
  ] as const) {
    const { clock, take, drain: drainAll } = bucketOf(RATE, blockSeconds)
    await drainAll()
    clock.advance(-3_600_000)
    assert.deepEqual(await take('ana'), { isAllowed: false, remaining: 0, msBeforeNext: waitMs })
    clock.advance(waitMs)
    assert.equal((await take('ana')).isAllowed, true)
  }
})

test('full buckets are deleted while others are used', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const usedMb = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const { clock, take } = bucketOf()
  const before = usedMb()
  // 80 MB of keys: other tests of this process may leave or free some. V8 gives all longer keys of a length one hash.
  for (let key = 0; key < 5000; key += 1) await take(`${key}`.padEnd(16_000, String.fromCharCode(97 + (key % 26))))
  const full = usedMb()
  assert.ok(full - before > 60, `${full - before} MB are held while the buckets are not full`)
  clock.advance(REFILL_MS + 1)
  for (let key = 0; key < 1750; key += 1) await take(`other-${key}`)
  const after = usedMb()
  assert.ok(after - before < 20, `${after - before} MB are held though the buckets are full`)
})
