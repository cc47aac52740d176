/** Rate limits: how often one client, address or key may do a thing, said in the answer's header fields. */
import type { FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import { RateLimitedError } from '../errors.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256 } from '../lib/hash.ts'
import type { Rate } from '../lib/setting-parsers.ts'
import type { Answer, Counts, Limit } from './counts.ts'
import { createMemoryCounts } from './memory-counts.ts'
import { createSharedCounts } from './shared-counts.ts'
import type { SharedCounts } from './shared-counts.ts'

/** The names of the limits, as `RateLimit-Policy` shows them. */
export type LimitName = keyof ReturnType<typeof limitsOf>

/** Counts what callers do: each process for itself, or all of them together. */
export type RateLimits = Readonly<{
  /**
   * Counts one against each limit and sets the `RateLimit` fields of the answer
   * (draft-ietf-httpapi-ratelimit-headers). A refused call counts only against what refuses it, and one that a
   * client's own limit refuses never against the limit of an address, which others need too.
   * @param uses the limit, and who it is counted for
   * @throws {ApiError} `RATE_LIMITED` when one is used up; `Retry-After` (seconds) is enough for all
   */
  count(reply: FastifyReply, ...uses: readonly (readonly [LimitName, string])[]): Promise<void>
  /** As `count`, in the memory of this process: for limits that are too cheap to ask a server for. */
  countHere(reply: FastifyReply, ...uses: readonly (readonly [LimitName, string])[]): Promise<void>
  /** Counts one against a limit without refusing: what was done had to be done. */
  note(name: LimitName, key: string): Promise<void>
}>

/** Makes the limits of the configuration. @param shared absent: they are counted in this process's memory */
export function createRateLimits(config: Config, clock: Clock, shared?: SharedCounts): RateLimits {
  if (config.rateLimits === 'off') return { count: async () => {}, countHere: async () => {}, note: async () => {} }
  const limits = limitsOf(config)
  const inMemory = createMemoryCounts(clock)
  const counts = shared ? createSharedCounts(shared, clock, inMemory) : inMemory

  const countIn =
    (where: Counts): RateLimits['count'] =>
    async (reply, ...uses) => {
      const asked = uses.map(([name, key]) => ({ name, limit: limits[name], key: sha256(key) }))
      const answers = await where.count(asked)
      writeFields(reply, asked, answers)
      const refusing = asked.flatMap(({ name }, index) => {
        const answer = answers[index]
        return answer === undefined || answer.isAllowed ? [] : [{ name, seconds: toSeconds(answer) }]
      })
      const longest = refusing.toSorted((one, other) => other.seconds - one.seconds)[0]
      if (longest !== undefined) throw new RateLimitedError(longest.name, longest.seconds)
    }

  return {
    count: countIn(counts),
    countHere: countIn(inMemory),
    async note(name, key) {
      await counts.count([{ limit: limits[name], key: sha256(key) }])
    },
  }
}

function writeFields(reply: FastifyReply, asked: readonly { limit: Limit }[], answers: readonly Answer[]): void {
  const policies: string[] = []
  const states: string[] = []
  for (const [index, answer] of answers.entries()) {
    const limit = asked[index]?.limit
    // Many callers share a bucket: shown to whom it does not refuse, it would tell of the others.
    if (limit === undefined || (limit.kind === 'bucket' && answer.isAllowed)) continue
    policies.push(`"${limit.name}";q=${limit.rate.count};w=${limit.rate.seconds}`)
    states.push(`"${limit.name}";r=${answer.remaining};t=${toSeconds(answer)}`)
  }
  reply.header('ratelimit-policy', policies.join(', '))
  reply.header('ratelimit', states.join(', '))
}

// Rounded up: whoever waits that long is let through.
function toSeconds({ msBeforeNext }: Answer): number {
  return Math.ceil(msBeforeNext / 1000)
}

const window = (name: string, rate: Rate, blockSeconds = 0): Limit => ({ name, kind: 'window', rate, blockSeconds })
const bucket = (name: string, rate: Rate): Limit => ({ name, kind: 'bucket', rate, blockSeconds: 0 })

function limitsOf(config: Config) {
  return {
    'request-repeat': window('request-repeat', config.limitRequestRepeat),
    'request-address-client': window('request-address-client', config.limitRequestAddressClient),
    'request-address': bucket('request-address', config.limitRequestAddress),
    'request-client': window('request-client', config.limitRequestClient),
    'exchange-failures': window('exchange-failures', config.limitExchangeFailures, config.exchangeBlockSeconds),
    'exchange-failures-client': window('exchange-failures-client', config.limitExchangeFailuresClient),
    'exchange-key': window('exchange-key', config.limitExchangeKey),
    'key-creation': window('key-creation', config.limitKeyCreation),
    'signup-hour': window('signup-hour', config.limitSignupHour),
    'signup-day': window('signup-day', config.limitSignupDay),
    'export': window('export', config.limitExport),
    'leak-reports': window('leak-reports', config.limitLeakReports),
    'payment-links': window('payment-links', config.limitPaymentLinks),
    'reads': window('reads', config.limitReads),
    'sign-in-failures': window('sign-in-failures', config.limitSignInFailures),
  }
}
