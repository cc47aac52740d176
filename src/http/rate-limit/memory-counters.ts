/** Counts in the memory of this process: of the embedded database, and while a server is away. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Clock } from '../../lib/clock.ts'
import type { Answer, Counts, Limit, Use } from './counters.ts'
import { createTokenBucket } from './token-bucket.ts'

type Counter = Readonly<{
  look(key: string): Promise<Answer>
  count(key: string): Promise<Answer>
}>

/** Makes them. @param clock of the buckets; windows go by the library's own */
export function createMemoryCounts(clock: Clock): Counts {
  const counters = new Map<Limit, Counter>()

  function counterOf(limit: Limit): Counter {
    const existing = counters.get(limit)
    if (existing !== undefined) return existing
    const counter = limit.kind === 'bucket' ? bucketOf(limit, clock) : windowOf(limit)
    counters.set(limit, counter)
    return counter
  }

  const look = ({ limit, key }: Use) => counterOf(limit).look(key)
  const count = ({ limit, key }: Use) => counterOf(limit).count(key)

  return {
    async count(uses) {
      const answers = await Promise.all(uses.map(look))
      const isRefused = answers.some(({ isAllowed }) => !isAllowed)
      let isUsedUpMeanwhile = false
      for (const [index, use] of uses.entries()) {
        if (isRefused && answers[index]?.isAllowed) continue
        if (isUsedUpMeanwhile && use.limit.kind === 'bucket') continue
        const answer = await count(use)
        answers[index] = answer
        isUsedUpMeanwhile ||= !answer.isAllowed
      }
      return answers
    },
  }
}

function bucketOf({ rate }: Limit, clock: Clock): Counter {
  const bucket = createTokenBucket(rate, clock)
  return { look: async (key) => bucket.look(key), count: async (key) => bucket.take(key) }
}

function windowOf({ name, rate, blockSeconds }: Limit): Counter {
  const options = { keyPrefix: name, points: rate.count, duration: rate.seconds, blockDuration: blockSeconds }
  const counted = new RateLimiterMemory(options)
  return {
    async look(key) {
      const state = await counted.get(key)
      if (state === null) return { isAllowed: true, remaining: rate.count, msBeforeNext: 0 }
      return toAnswer(state.consumedPoints < rate.count, state)
    },
    async count(key) {
      try {
        return toAnswer(true, await counted.consume(key))
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return toAnswer(false, refusal)
        throw refusal
      }
    },
  }
}

function toAnswer(isAllowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Answer {
  return { isAllowed, remaining: Math.max(0, remainingPoints), msBeforeNext }
}
