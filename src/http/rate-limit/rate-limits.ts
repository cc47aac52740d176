/** Rate limits: how often one client, address or key may do a thing, said in the answer's header fields. */
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config/settings.ts'
import { RateLimitedError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetworks } from '../../lib/network.ts'
import type { Rate } from '../../config/parsers.ts'
import { takeOf } from '../../lib/token-bucket.ts'
import type { BucketState } from '../../lib/token-bucket.ts'
import { createFairShare } from './fair-share.ts'
import { createMemoryBuckets } from './memory-buckets.ts'
import type { TakeAll } from './memory-buckets.ts'
import { createSharedBuckets } from './shared-buckets.ts'
import type { SharedBuckets } from './shared-buckets.ts'

/** The names of the limits, as `RateLimit-Policy` shows them. */
export type LimitName = keyof ReturnType<typeof limitsOf>

/** A token bucket for each limit and key: of each process, or of all of them together. */
export type RateLimits = Readonly<{
  /**
   * Takes one from each limit's bucket and sets the `RateLimit` fields of the answer
   * (draft-ietf-httpapi-ratelimit-headers). A refused call takes nothing.
   * @param uses the limit, and its key; the last is the one that others need too: of calls at the same moment, none
   * that another limit refuses takes from it
   * @throws {ApiError} `RATE_LIMITED` when one is empty; `Retry-After` (seconds) is enough for all
   */
  count(reply: FastifyReply, ...uses: readonly Use[]): Promise<void>
  /** As `count`, in the memory of this process: for limits that are too cheap to ask a server for. */
  countHere(reply: FastifyReply, ...uses: readonly Use[]): Promise<void>
  /** Takes one without refusing: what was done had to be done. */
  note(name: LimitName, key: string): Promise<void>
  /**
   * `count` for a call that causes mail, within what this process queues for all callers (docs/decisions/0029).
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

/** Makes the limits of the configuration. @param shared absent: the buckets are in this process's memory */
export function createRateLimits(config: Config, clock: Clock, shared?: SharedBuckets): RateLimits {
  if (config.rateLimits === 'off') {
    return { count: async () => {}, countHere: async () => {}, countMail: async () => {}, note: async () => {} }
  }
  const limits: Readonly<Record<LimitName, Limit>> = limitsOf(config)
  const inMemory = createMemoryBuckets()
  const takeAll = shared ? createSharedBuckets(shared, inMemory) : inMemory
  const queued = createFairShare(config.limitMailQueue, clock)

  const take = (from: TakeAll, uses: readonly Use[]) => {
    const nowMs = clock.now()
    return from(uses.map(([name, key]) => takeOf(`${name}:${sha256(key)}`, limits[name].rate, nowMs, limits[name])))
  }
  const countIn =
    (from: TakeAll): RateLimits['count'] =>
    async (reply, ...uses) => {
      const states = await take(from, uses)
      const shown = uses.map(([name], index): Shown => [name, limits[name], states[index] as BucketState])
      writeFields(reply, shown)
      const refusing = shown.filter(([, , { isAllowed }]) => !isAllowed)
      const [longest] = refusing.toSorted(([, , one], [, , other]) => other.msBeforeNext - one.msBeforeNext)
      if (longest !== undefined) throw new RateLimitedError(longest[0], toSeconds(longest[2].msBeforeNext))
    }

  const count = countIn(takeAll)
  return {
    count,
    countHere: countIn(inMemory),
    async note(...use) {
      await take(takeAll, [use])
    },
    async countMail(reply, ip, ...uses) {
      const networks = clientNetworks(ip)
      // Before anything is taken: a call that is refused here must use nothing of an address's limit.
      const refusedForMs = queued.refusedForMs(networks)
      if (refusedForMs > 0) throw new RateLimitedError('mail-queue', toSeconds(refusedForMs))
      await count(reply, ...uses)
      queued.count(networks)
    },
  }
}

type Shown = readonly [LimitName, Limit, BucketState]

function writeFields(reply: FastifyReply, all: readonly Shown[]): void {
  const shown = all.filter(([, { isShared }, { isAllowed }]) => !isShared || !isAllowed)
  reply.header(
    'ratelimit-policy',
    shown.map(([name, { rate }]) => `"${name}";q=${rate.count};w=${rate.seconds}`).join(', '),
  )
  const states = shown.map(
    ([name, , { remaining, msBeforeNext }]) => `"${name}";r=${remaining};t=${toSeconds(msBeforeNext)}`,
  )
  reply.header('ratelimit', states.join(', '))
}

// Rounded up: a caller that waits that long is let through.
const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000)

type Limit = Readonly<{
  rate: Rate
  /** Many clients take from it: shown to a client that it does not refuse, it would tell of the others. */
  isShared?: true
  blockSeconds?: number
}>

/** Limits that are counted for each network around a client. */
type NetworkLimitName = 'request-client' | 'signup-hour' | 'signup-day' | 'leak-reports'

function limitsOfNetworks<N extends NetworkLimitName>(name: N, rate: Rate, { siteFactor, wideFactor }: Config) {
  const around = (factor: number): Limit => ({
    rate: { count: factor * rate.count, seconds: rate.seconds },
    isShared: true,
  })
  const limits = { [name]: { rate }, [`${name}-site`]: around(siteFactor), [`${name}-wide`]: around(wideFactor) }
  return limits as Record<N | `${N}-site` | `${N}-wide`, Limit>
}

function limitsOf(config: Config) {
  return {
    'request-repeat': { rate: config.limitRequestRepeat },
    'request-address-client': { rate: config.limitRequestAddressClient },
    'request-address': { rate: config.limitRequestAddress, isShared: true },
    ...limitsOfNetworks('request-client', config.limitRequestClient, config),
    'exchange-failures': { rate: config.limitExchangeFailures, blockSeconds: config.exchangeBlockSeconds },
    'exchange-failures-client': { rate: config.limitExchangeFailuresClient },
    'exchange-key': { rate: config.limitExchangeKey },
    'key-creation': { rate: config.limitKeyCreation },
    ...limitsOfNetworks('signup-hour', config.limitSignupHour, config),
    ...limitsOfNetworks('signup-day', config.limitSignupDay, config),
    export: { rate: config.limitExport },
    ...limitsOfNetworks('leak-reports', config.limitLeakReports, config),
    'payment-links': { rate: config.limitPaymentLinks },
    reads: { rate: config.limitReads },
    'sign-in-failures': { rate: config.limitSignInFailures },
  } as const satisfies Readonly<Record<string, Limit>>
}
