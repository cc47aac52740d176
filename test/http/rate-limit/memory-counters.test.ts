/** Counts in memory: of calls at the same moment none drains what others need for one that is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Limit } from '../../../src/http/rate-limit/counters.ts'
import { createMemoryCounts } from '../../../src/http/rate-limit/memory-counters.ts'
import { manualClock } from '../../support/clock.ts'

const window = (name: string, count: number, blockSeconds = 0): Limit =>
  ({ name, kind: 'window', rate: { count, seconds: 60 }, blockSeconds })
const bucket: Limit = { name: 'bucket', kind: 'bucket', rate: { count: 5, seconds: 1500 }, blockSeconds: 0 }

test('40 calls at once of one client drain an address by no more than that client was allowed', async () => {
  const counts = createMemoryCounts(manualClock())
  const uses = [{ limit: window('narrow', 1), key: 'client' }, { limit: bucket, key: 'address' }]
  const answers = await Promise.all(Array.from({ length: 40 }, () => counts.count(uses)))
  assert.equal(answers.filter((all) => all.every(({ isAllowed }) => isAllowed)).length, 1)
  const [left] = await counts.count([{ limit: bucket, key: 'address' }])
  assert.deepEqual([left?.isAllowed, left?.remaining], [true, 3])
})

test('what is refused counts only against what refuses it, and that tells of its block', async () => {
  const counts = createMemoryCounts(manualClock())
  const uses = [{ limit: window('wide', 9), key: 'client' }, { limit: window('blocking', 2, 900), key: 'client' }]
  for (let n = 0; n < 2; n += 1) assert.ok((await counts.count(uses)).every(({ isAllowed }) => isAllowed))
  for (let n = 0; n < 5; n += 1) {
    const [wide, blocking] = await counts.count(uses)
    assert.deepEqual([wide?.isAllowed, wide?.remaining], [true, 7])
    assert.equal(blocking?.isAllowed, false)
    assert.ok((blocking?.msBeforeNext ?? 0) > 800_000)
  }
})
