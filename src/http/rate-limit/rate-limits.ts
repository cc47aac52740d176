/** Rate limits: how often one client, address or key may do a thing, said in the answer's header fields. */
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config/settings.ts'
import { RateLimitedError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetworks } from '../../lib/network.ts'
import type { Rate } from '../../config/parsers.ts'
import type { Answer, Counts, Limit } from './counters.ts'
import { createFairShare } from './fair-share.ts'
import { createMemoryCounts } from './memory-counters.ts'
import { createSharedCounts } from './shared-counters.ts'
import type { SharedCounts } from './shared-counters.ts'

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
  count(reply: FastifyReply, ...uses: readonly Use[]): Promise<void>
  /** As `count`, in the memory of this process: for limits that are too cheap to ask a server for. */
  countHere(reply: FastifyReply, ...uses: readonly Use[]): Promise<void>
  /** Counts one against a limit without refusing: what was done had to be done. */
  note(name: LimitName, key: string): Promise<void>
  /**
   * The same for a call that causes mail, within what this process queues for all callers (docs/decisions/0029).
   * @throws {ApiError} `RATE_LIMITED` also when it has queued the most, and the caller's network more than its share
   */
  countMail(reply: FastifyReply, ip: string, ...uses: readonly Use[]): Promise<void>
}>

type Use = readonly [LimitName, string]

/** A limit of each network that a client belongs to, each looser than the one before. */
export function ofNetworks(name: NetworkLimitName, ip: string): readonly Use[] {
  const { client, site, wide } = clientNetworks(ip)
  const own: Use = [name, client]
  const around: Use = [`${name}-site`, site]
  return site === wide ? [own, around] : [own, around, [`${name}-wide`, wide]]
}

/** Makes the limits of the configuration. @param shared absent: they are counted in this process's memory */
export function createRateLimits(config: Config, clock: Clock, shared?: SharedCounts): RateLimits {
  if (config.rateLimits === 'off') {
    return { count: async () => {}, countHere: async () => {}, countMail: async () => {}, note: async () => {} }
  }
  const limits = limitsOf(config)
  const inMemory = createMemoryCounts(clock)
  const counts = shared ? createSharedCounts(shared, clock, inMemory) : inMemory

  const queued = createFairShare(config.limitMailQueue, clock)
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

  const count = countIn(counts)
  return {
    count,
    countHere: countIn(inMemory),
    async note(name, key) {
      await counts.count([{ limit: limits[name], key: sha256(key) }])
    },
    async countMail(reply, ip, ...uses) {
      const networks = clientNetworks(ip)
      // Before anything is counted: a call that is refused here must use nothing of an address's limit.
      const refusedForMs = queued.refusedForMs(networks)
      if (refusedForMs > 0) throw new RateLimitedError('mail-queue', Math.ceil(refusedForMs / 1000))
      await count(reply, ...uses)
      queued.count(networks)
    },
  }
}

function writeFields(reply: FastifyReply, asked: readonly { limit: Limit }[], answers: readonly Answer[]): void {
  const policies: string[] = []
  const states: string[] = []
  for (const [index, answer] of answers.entries()) {
    const limit = asked[index]?.limit
    if (limit === undefined || (limit.isShared && answer.isAllowed)) continue
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
const bucket = (name: string, rate: Rate): Limit => ({ name, kind: 'bucket', rate, blockSeconds: 0, isShared: true })
const times = (factor: number, { count, seconds }: Rate): Rate => ({ count: factor * count, seconds })

/** Limits that are counted for each network around a client. */
type NetworkLimitName = 'request-client' | 'signup-hour' | 'signup-day' | 'leak-reports'

function limitsOfNetworks<N extends NetworkLimitName>(name: N, rate: Rate, { siteFactor, wideFactor }: Config) {
  const shared = (of: string, by: number): Limit => ({ ...window(of, times(by, rate)), isShared: true })
  const limits = {
    [name]: window(name, rate),
    [`${name}-site`]: shared(`${name}-site`, siteFactor),
    [`${name}-wide`]: shared(`${name}-wide`, wideFactor),
  }
  return limits as Record<N | `${N}-site` | `${N}-wide`, Limit>
}

function limitsOf(config: Config) {
  return {
    'request-repeat': window('request-repeat', config.limitRequestRepeat),
    'request-address-client': window('request-address-client', config.limitRequestAddressClient),
    'request-address': bucket('request-address', config.limitRequestAddress),
    ...limitsOfNetworks('request-client', config.limitRequestClient, config),
    'exchange-failures': window('exchange-failures', config.limitExchangeFailures, config.exchangeBlockSeconds),
    'exchange-failures-client': window('exchange-failures-client', config.limitExchangeFailuresClient),
    'exchange-key': window('exchange-key', config.limitExchangeKey),
    'key-creation': window('key-creation', config.limitKeyCreation),
    ...limitsOfNetworks('signup-hour', config.limitSignupHour, config),
    ...limitsOfNetworks('signup-day', config.limitSignupDay, config),
    'export': window('export', config.limitExport),
    ...limitsOfNetworks('leak-reports', config.limitLeakReports, config),
    'payment-links': window('payment-links', config.limitPaymentLinks),
    'reads': window('reads', config.limitReads),
    'sign-in-failures': window('sign-in-failures', config.limitSignInFailures),
  }
}
