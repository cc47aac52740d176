/** A bucket gives its burst, refills evenly, says truly when, and costs memory only while it is not full. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { createTokenBucket } from '../../../src/http/rate-limit/token-bucket.ts'
import { manualClock } from '../../support/clock.ts'

// 5 per 25 minutes: one more every 5.
const RATE = { count: 5, seconds: 1500 }
const REFILL_MS = 300_000

/** How many can be taken now, one after the other. */
function drain(take: () => { isAllowed: boolean }): number {
  let taken = 0
  while (take().isAllowed) taken += 1
  return taken
}

const anyRate = fc.record({
  count: fc.integer({ min: 1, max: 20 }),
  seconds: fc.integer({ min: 1, max: 100 }),
})
const waits = fc.array(fc.integer({ min: 0, max: 30_000 }), { maxLength: 60 })

function bucketOf(rate = RATE) {
  const clock = manualClock()
  const { take } = createTokenBucket(rate, clock)
  return { clock, take, drain: (key = 'ana') => drain(() => take(key)) }
}

describe('a token bucket', () => {
  test('gives its burst at once and counts down to it', () => {
    const { take } = bucketOf()
    const answers = Array.from({ length: 6 }, () => take('ana'))
    assert.deepEqual(answers.map(({ isAllowed }) => isAllowed), [true, true, true, true, true, false])
    assert.deepEqual(answers.map(({ remaining }) => remaining), [4, 3, 2, 1, 0, 0])
  })

  test('refills one after the other, evenly, and is never more than full', () => {
    const { clock, drain: drainAll } = bucketOf()
    assert.equal(drainAll(), 5)
    for (const [waited, expected] of [[1, 1], [2, 2], [5, 5], [50, 5], [1.5, 1], [0.5, 1]] as const) {
      clock.advance(waited * REFILL_MS)
      assert.equal(drainAll(), expected, `after ${waited} refills`)
    }
  })

  test('says to the millisecond when one more can be taken', () => {
    const { clock, take, drain: drainAll } = bucketOf()
    drainAll()
    const { isAllowed, msBeforeNext } = take('ana')
    assert.deepEqual([isAllowed, msBeforeNext], [false, REFILL_MS])
    clock.advance(msBeforeNext - 1)
    const early = take('ana')
    assert.deepEqual([early.isAllowed, Math.round(early.msBeforeNext)], [false, 1])
    clock.advance(1)
    assert.equal(take('ana').isAllowed, true)
  })

  test('is not drained further by what it refuses: asking again and again puts nothing off', () => {
    const { clock, take, drain: drainAll } = bucketOf()
    drainAll()
    for (let asked = 0; asked < 100; asked += 1) take('ana')
    clock.advance(REFILL_MS)
    assert.equal(take('ana').isAllowed, true)
  })

  test('that is looked at tells what taking would come to, and loses nothing by it', () => {
    const clock = manualClock()
    const { look, take } = createTokenBucket(RATE, clock)
    for (let taken = 0; taken < 5; taken += 1) {
      for (let looked = 0; looked < 10; looked += 1) {
        assert.deepEqual([look('ana').isAllowed, look('ana').remaining], [true, 5 - taken])
      }
      assert.equal(take('ana').isAllowed, true)
    }
    assert.deepEqual(look('ana'), { isAllowed: false, remaining: 0, msBeforeNext: REFILL_MS })
    clock.advance(REFILL_MS)
    assert.equal(look('ana').isAllowed, true)
  })

  test('has nothing to do with other keys, also those that a bare object would know', () => {
    const { drain: drainAll } = bucketOf()
    for (const key of ['ana', 'bob', '__proto__', 'constructor', '']) assert.equal(drainAll(key), 5, key)
  })

  test('gives in any time no more than its burst and what refilled meanwhile', () => {
    fc.assert(
      fc.property(anyRate, waits, ({ count, seconds }, waitsMs) => {
        const { clock, take } = bucketOf({ count, seconds })
        const startMs = clock.now()
        let taken = 0
        for (const waitMs of waitsMs) {
          clock.advance(waitMs)
          const { isAllowed, remaining, msBeforeNext } = take('ana')
          taken += isAllowed ? 1 : 0
          assert.ok(remaining >= 0 && remaining < count)
          assert.ok(msBeforeNext > 0 && msBeforeNext <= (seconds * 1000) / count + 0.001)
          const refilled = ((clock.now() - startMs) * count) / (seconds * 1000)
          assert.ok(taken <= count + refilled + 0.001, `${taken} of ${count} + ${refilled}`)
        }
      }),
    )
  })
})

test('whoever waits the whole seconds that a refusal comes to is never refused again', () => {
  fc.assert(
    fc.property(anyRate, waits, (rate, waitsMs) => {
      const { clock, take } = bucketOf(rate)
      for (const waitMs of waitsMs) {
        clock.advance(waitMs)
        const { isAllowed, msBeforeNext } = take('ana')
        if (isAllowed) continue
        clock.advance(Math.ceil(msBeforeNext / 1000) * 1000)
        assert.equal(take('ana').isAllowed, true)
      }
    }),
  )
})

test('a clock that is set back gives nobody more, and locks nobody out for longer than the step', () => {
  const { clock, take, drain: drainAll } = bucketOf()
  drainAll()
  clock.advance(-3_600_000)
  assert.equal(take('ana').isAllowed, false)
  clock.advance(3_600_000 + REFILL_MS)
  assert.equal(take('ana').isAllowed, true)
})

test('buckets that are full again are let go while others are used', () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const usedMb = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed / 2 ** 20
  }
  const { clock, take } = bucketOf()
  const before = usedMb()
  for (let key = 0; key < 2000; key += 1) take(`${key}`.padEnd(10_000, String.fromCharCode(97 + (key % 26))))
  const full = usedMb()
  assert.ok(full - before > 15, `${full - before} MB are held while the buckets are not full`)
  clock.advance(REFILL_MS + 1)
  for (let key = 0; key < 700; key += 1) take(`other-${key}`)
  const after = usedMb()
  assert.ok(after - before < 2, `${after - before} MB are held though the buckets are full`)
})
