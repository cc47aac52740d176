/** Rate limits: how often one client, address or key may do a thing, said in the answer's header fields. */
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import { ApiError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256 } from '../lib/hash.ts'
import type { Rate } from '../lib/setting-parsers.ts'
import { createTokenBucket } from './token-bucket.ts'

/** How long wrong secrets from one place are answered 429, once there were too many, in seconds. */
const EXCHANGE_FAILURES_BLOCK_SECONDS = 15 * 60

/** The names of the limits, as `RateLimit-Policy` shows them. */
export type LimitName = keyof ReturnType<typeof limiters>

/** Counts what callers do. Each process counts for itself. */
export type RateLimits = Readonly<{
  /**
   * Counts one against each limit, in order, and sets the `RateLimit` fields of the answer
   * (draft-ietf-httpapi-ratelimit-headers).
   * @param uses the limit, and who it is counted for
   * @throws {ApiError} `RATE_LIMITED` with `Retry-After` (seconds) at the first that is used up
   */
  count(reply: FastifyReply, ...uses: readonly (readonly [LimitName, string])[]): Promise<void>
  /** Counts one against a limit without refusing: what was done had to be done. */
  note(name: LimitName, key: string): Promise<void>
}>

type Answer = Readonly<{ isAllowed: boolean; remaining: number; msBeforeNext: number }>

type Limiter = Readonly<{ rate: Rate; count(key: string): Promise<Answer> }>

/** Makes the limits of the configuration, counted in this process's memory. */
export function createRateLimits(config: Config, clock: Clock): RateLimits {
  if (config.rateLimits === 'off') return { count: async () => {}, note: async () => {} }
  const byName = limiters(config, clock)

  return {
    async note(name, key) {
      await byName[name].count(sha256(key))
    },
    async count(reply, ...uses) {
      const policies: string[] = []
      const states: string[] = []
      for (const [name, key] of uses) {
        const { rate, count } = byName[name]
        const { isAllowed, remaining, msBeforeNext } = await count(sha256(key))
        const seconds = Math.ceil(msBeforeNext / 1000)
        policies.push(`"${name}";q=${rate.count};w=${rate.seconds}`)
        states.push(`"${name}";r=${remaining};t=${seconds}`)
        reply.header('ratelimit-policy', policies.join(', '))
        reply.header('ratelimit', states.join(', '))
        if (!isAllowed) {
          throw new ApiError('RATE_LIMITED', {
            message: `Too many requests. Try again in ${seconds} seconds.`,
            headers: { 'retry-after': String(seconds) },
          })
        }
      }
    },
  }
}

function limiters(config: Config, clock: Clock) {
  const bucket = createTokenBucket(config.limitRequestAddress, clock)
  return {
    'request-repeat': fixedWindow(config.limitRequestRepeat),
    'request-address-client': fixedWindow(config.limitRequestAddressClient),
    'request-address': { rate: config.limitRequestAddress, count: async (key: string) => bucket.take(key) },
    'request-client': fixedWindow(config.limitRequestClient),
    'exchange-failures': fixedWindow(config.limitExchangeFailures, EXCHANGE_FAILURES_BLOCK_SECONDS),
    'exchange-key': fixedWindow(config.limitExchangeKey),
    'signup-hour': fixedWindow(config.limitSignupHour),
    'signup-day': fixedWindow(config.limitSignupDay),
    'sign-in-failures': fixedWindow(config.limitSignInFailures),
  } satisfies Record<string, Limiter>
}

function fixedWindow(rate: Rate, blockSeconds = 0): Limiter {
  const memory = new RateLimiterMemory({
    points: rate.count,
    duration: rate.seconds,
    blockDuration: blockSeconds,
  })
  return {
    rate,
    async count(key) {
      try {
        return toAnswer(true, await memory.consume(key))
      } catch (refusal) {
        if (refusal instanceof RateLimiterRes) return toAnswer(false, refusal)
        throw refusal
      }
    },
  }
}

function toAnswer(isAllowed: boolean, { remainingPoints, msBeforeNext }: RateLimiterRes): Answer {
  return { isAllowed, remaining: remainingPoints, msBeforeNext }
}
