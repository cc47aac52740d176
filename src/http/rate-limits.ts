/** Rate limits: how often one client, address or key may do a thing, said in the answer's header fields. */
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import { RateLimitedError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256 } from '../lib/hash.ts'
import type { Rate } from '../lib/setting-parsers.ts'
import { createSharedTokenBucket } from './shared-token-bucket.ts'
import type { BucketStore } from './shared-token-bucket.ts'
import { createTokenBucket } from './token-bucket.ts'

/** The names of the limits, as `RateLimit-Policy` shows them. */
export type LimitName = keyof ReturnType<typeof limiters>

/** Where several processes count together. */
export type SharedCounts = Readonly<{
  /** Takes the queries of rate-limiter-flexible's PostgreSQL store. */
  windowClient: object
  buckets: BucketStore
}>

/** Counts what callers do: each process for itself, or all of them together. */
export type RateLimits = Readonly<{
  /**
   * Counts one against each limit and sets the `RateLimit` fields of the answer
   * (draft-ietf-httpapi-ratelimit-headers). A refused call counts only against what refuses it.
   * @param uses the limit, and who it is counted for
   * @throws {ApiError} `RATE_LIMITED` when one is used up; `Retry-After` (seconds) is enough for all
   */
  count(reply: FastifyReply, ...uses: readonly (readonly [LimitName, string])[]): Promise<void>
  /** Counts one against a limit without refusing: what was done had to be done. */
  note(name: LimitName, key: string): Promise<void>
}>

type Answer = Readonly<{ isAllowed: boolean; remaining: number; msBeforeNext: number }>

type Limiter = Readonly<{
  rate: Rate
  /** Counted for what many callers share: shown only to whom it refuses, or it would tell of the others. */
  isShared?: boolean
  look(key: string): Promise<Answer>
  count(key: string): Promise<Answer>
}>

/** Makes the limits of the configuration. @param shared absent: they are counted in this process's memory */
export function createRateLimits(config: Config, clock: Clock, shared?: SharedCounts): RateLimits {
  if (config.rateLimits === 'off') return { count: async () => {}, note: async () => {} }
  const byName = limiters(config, clock, shared)

  return {
    async note(name, key) {
      await byName[name].count(sha256(key))
    },
    async count(reply, ...uses) {
      const limits: Counted[] = uses.map(([name, key]) => ({ name, limiter: byName[name], key: sha256(key) }))
      const looked = await Promise.all(limits.map(({ limiter, key }) => limiter.look(key)))
      const isRefused = looked.some(({ isAllowed }) => !isAllowed)
      const answers = await Promise.all(
        limits.map(async ({ limiter, key }, index) => {
          const answer = looked[index]
          return isRefused && answer?.isAllowed ? answer : limiter.count(key)
        }),
      )
      writeFields(reply, limits, answers)
      const refusing = limits.flatMap(({ name }, index) => {
        const answer = answers[index]
        return answer === undefined || answer.isAllowed ? [] : [{ name, seconds: toSeconds(answer) }]
      })
      const longest = refusing.toSorted((one, other) => other.seconds - one.seconds)[0]
      if (longest !== undefined) throw new RateLimitedError(longest.name, longest.seconds)
    },
  }
}

type Counted = Readonly<{ name: LimitName; limiter: Limiter; key: string }>

function writeFields(reply: FastifyReply, limits: readonly Counted[], answers: readonly Answer[]): void {
  const policies: string[] = []
  const states: string[] = []
  for (const [index, answer] of answers.entries()) {
    const counted = limits[index]
    if (counted === undefined || (counted.limiter.isShared && answer.isAllowed)) continue
    const { name, limiter } = counted
    policies.push(`"${name}";q=${limiter.rate.count};w=${limiter.rate.seconds}`)
    states.push(`"${name}";r=${answer.remaining};t=${toSeconds(answer)}`)
  }
  reply.header('ratelimit-policy', policies.join(', '))
  reply.header('ratelimit', states.join(', '))
}

// Rounded up: whoever waits that long is let through.
function toSeconds({ msBeforeNext }: Answer): number {
  return Math.ceil(msBeforeNext / 1000)
}

function limiters(config: Config, clock: Clock, shared: SharedCounts | undefined) {
  const { limitRequestAddress } = config
  const bucket = shared
    ? createSharedTokenBucket(limitRequestAddress, clock, shared.buckets)
    : createTokenBucket(limitRequestAddress, clock)
  const fixedWindow = windowsOf(shared)
  return {
    'request-repeat': fixedWindow('request-repeat', config.limitRequestRepeat),
    'request-address-client': fixedWindow('request-address-client', config.limitRequestAddressClient),
    'request-address': {
      rate: config.limitRequestAddress,
      isShared: true,
      look: async (key: string) => bucket.look(key),
      count: async (key: string) => bucket.take(key),
    },
    'request-client': fixedWindow('request-client', config.limitRequestClient),
    'exchange-failures': fixedWindow('exchange-failures', config.limitExchangeFailures, config.exchangeBlockSeconds),
    'exchange-failures-client': fixedWindow('exchange-failures-client', config.limitExchangeFailuresClient),
    'exchange-key': fixedWindow('exchange-key', config.limitExchangeKey),
    'key-creation': fixedWindow('key-creation', config.limitKeyCreation),
    'signup-hour': fixedWindow('signup-hour', config.limitSignupHour),
    'signup-day': fixedWindow('signup-day', config.limitSignupDay),
    'export': fixedWindow('export', config.limitExport),
    'leak-reports': fixedWindow('leak-reports', config.limitLeakReports),
    'payment-links': fixedWindow('payment-links', config.limitPaymentLinks),
    'sign-in-failures': fixedWindow('sign-in-failures', config.limitSignInFailures),
  } satisfies Record<string, Limiter>
}

type FixedWindow = (name: string, rate: Rate, blockSeconds?: number) => Limiter

function windowsOf(shared: SharedCounts | undefined): FixedWindow {
  return (name, rate, blockSeconds = 0) => {
    const options = { keyPrefix: name, points: rate.count, duration: rate.seconds, blockDuration: blockSeconds }
    const inMemory = new RateLimiterMemory(options)
    if (shared === undefined) return countedIn(rate, inMemory)
    // While the database is away each process counts for itself.
    const store = { storeClient: shared.windowClient, storeType: 'client', insuranceLimiter: inMemory } as const
    const table = { tableName: 'rate_limit_windows', tableCreated: true, clearExpiredByTimeout: false } as const
    return countedIn(rate, new RateLimiterPostgres({ ...options, ...store, ...table }))
  }
}

function countedIn(rate: Rate, counted: Pick<RateLimiterMemory, 'get' | 'consume'>): Limiter {
  return {
    rate,
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
