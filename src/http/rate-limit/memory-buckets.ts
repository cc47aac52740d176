/** Token buckets in the memory of this process: for the embedded database, and while PostgreSQL is unreachable. */
import { fullAtAfter, latestFullAt, stateOf } from '../../lib/token-bucket.ts'
import type { BucketState, Take } from '../../lib/token-bucket.ts'

/**
 * Takes a token from each bucket, or from none if one of them refuses. Put a bucket that other callers share last:
 * concurrent calls that another bucket refuses never take from it, not even for a moment.
 * @returns the states, in the order of `takes`
 */
export type TakeAll = (takes: readonly Take[]) => Promise<readonly BucketState[]>

export type MemoryBuckets = Readonly<{
  takeAll: TakeAll
  /** Puts the tokens back. Ignores `blockSeconds`. */
  giveBack(takes: readonly Take[]): void
}>

/** Buckets checked for removal per call: more than a call adds, so that full ones do not accumulate. */
const SWEPT_PER_CALL = 8

export function createMemoryBuckets(): MemoryBuckets {
  const fullAtMs = new Map<string, number>()
  let sweep = fullAtMs.entries()

  function forgetFull(nowMs: number): void {
    for (let swept = 0; swept < SWEPT_PER_CALL; swept += 1) {
      const { value, done } = sweep.next()
      if (done) {
        sweep = fullAtMs.entries()
        return
      }
      if (value[1] <= nowMs) fullAtMs.delete(value[0])
    }
  }

  return {
    async takeAll(takes) {
      forgetFull(takes[0]?.nowMs ?? 0)
      const found = takes.map((take) => Math.min(fullAtMs.get(take.key) ?? 0, latestFullAt(take)))
      const isRefused = takes.some(({ takenUntilMs }, index) => (found[index] ?? 0) > takenUntilMs)
      return takes.map((take, index) => {
        const foundMs = found[index] ?? 0
        const takenMs = isRefused ? undefined : fullAtAfter(take, foundMs)
        if (takenMs !== undefined || foundMs > take.nowMs) fullAtMs.set(take.key, takenMs ?? foundMs)
        return stateOf(take, { foundMs, takenMs })
      })
    },
    giveBack(takes) {
      for (const { key, refillMs } of takes) {
        const foundMs = fullAtMs.get(key)
        if (foundMs !== undefined) fullAtMs.set(key, foundMs - refillMs)
      }
    },
  }
}
