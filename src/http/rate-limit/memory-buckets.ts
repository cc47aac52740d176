/** Token buckets in the memory of this process: of the embedded database, and while a server is away. */
import { fullAtAfter, latestFullAt, stateOf } from '../../lib/token-bucket.ts'
import type { BucketState, Take } from '../../lib/token-bucket.ts'

/**
 * Takes a token from each bucket, or from none if one of them refuses. The last bucket is the one that others need
 * too: of calls at the same moment, none that another bucket refuses takes from it.
 * @returns how they stand, in their order
 */
export type TakeAll = (takes: readonly Take[]) => Promise<readonly BucketState[]>

/** Buckets looked at per call: more than a call adds, so that full ones do not gather. */
const SWEPT_PER_CALL = 8

/** Makes them. */
export function createMemoryBuckets(): TakeAll {
  const fullAtMs = new Map<string, number>()
  let sweep = fullAtMs.entries()

  function forgetFull(nowMs: number): void {
    for (let looked = 0; looked < SWEPT_PER_CALL; looked += 1) {
      const { value, done } = sweep.next()
      if (done) {
        sweep = fullAtMs.entries()
        return
      }
      if (value[1] <= nowMs) fullAtMs.delete(value[0])
    }
  }

  return async (takes) => {
    forgetFull(takes[0]?.nowMs ?? 0)
    const found = takes.map((take) => Math.min(fullAtMs.get(take.key) ?? 0, latestFullAt(take)))
    const isRefused = takes.some(({ takenUntilMs }, index) => (found[index] ?? 0) > takenUntilMs)
    return takes.map((take, index) => {
      const foundMs = found[index] ?? 0
      const takenMs = isRefused ? undefined : fullAtAfter(take, foundMs)
      if (takenMs !== undefined || foundMs > take.nowMs) fullAtMs.set(take.key, takenMs ?? foundMs)
      return stateOf(take, { foundMs, takenMs })
    })
  }
}
