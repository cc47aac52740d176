/** Token buckets in the memory of this process: for the embedded database, and while PostgreSQL is unreachable. */
import { fullAtAfter, latestFullAt, stateOf } from '../../lib/token-bucket.ts'
import type { BucketState, Take } from '../../lib/token-bucket.ts'

export type Taken = Readonly<{
  /** In the order of the takes. */
  states: readonly BucketState[]
  /** Puts the tokens back. Ignores `blockSeconds`. Call it once, and not after a refusal. */
  giveBack(): void
}>

/**
 * Takes a token from each bucket, or from none if one of them refuses. Put a bucket that other callers share last:
 * concurrent calls that another bucket refuses never take from it, not even for a moment.
 */
export type TakeAll = (takes: readonly Take[]) => Promise<Taken>

/** Buckets checked for removal per call: more than a call adds, so that full ones do not accumulate. */
const SWEPT_PER_CALL = 8

export function createMemoryBuckets(): TakeAll {
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

  return async (takes) => {
    forgetFull(takes[0]?.nowMs ?? 0)
    const found = takes.map((take) => Math.min(fullAtMs.get(take.key) ?? 0, latestFullAt(take)))
    const isRefused = takes.some(({ takenUntilMs }, index) => (found[index] ?? 0) > takenUntilMs)
    const states = takes.map((take, index) => {
      const foundMs = found[index] ?? 0
      const takenMs = isRefused ? undefined : fullAtAfter(take, foundMs)
      if (takenMs !== undefined || foundMs > take.nowMs) fullAtMs.set(take.key, takenMs ?? foundMs)
      return stateOf(take, { foundMs, takenMs })
    })
    return {
      states,
      giveBack() {
        for (const { key, refillMs } of takes) {
          const nowFullAtMs = fullAtMs.get(key)
          if (nowFullAtMs !== undefined) fullAtMs.set(key, nowFullAtMs - refillMs)
        }
      },
    }
  }
}
