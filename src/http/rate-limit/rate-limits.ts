/** Rate limits per client, address and key, with the `RateLimit` response header fields. */
import type { FastifyReply } from 'fastify'
import type { Config } from '../../config/settings.ts'
import { RateLimitedError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { sha256 } from '../../lib/hash.ts'
import { clientNetworks } from '../../lib/network.ts'
import type { Rate } from '../../config/parsers.ts'
import { takeOf } from '../../lib/token-bucket.ts'
import type { BucketState, Take } from '../../lib/token-bucket.ts'
import { createFairShare } from './fair-share.ts'
import { createMemoryBuckets } from './memory-buckets.ts'
import type { TakeAll } from './memory-buckets.ts'
import { createSharedBuckets } from './shared-buckets.ts'
import type { SharedBuckets } from './shared-buckets.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** What gives back what the call took from its limits; null before. */
    giveBacks: readonly (() => void)[] | null
  }
}

/** As in `RateLimit-Policy`. */
export type LimitName = keyof ReturnType<typeof limitsOf>

/** One token bucket per limit and key, in this process or shared by all processes. */
export type RateLimits = Readonly<{
  /**
   * Takes a token from each limit's bucket and sets the `RateLimit` fields (draft-ietf-httpapi-ratelimit-headers).
   * A refused call takes nothing.
   * @param uses limits with their keys; put a limit that other callers share last: concurrent calls that another limit
   * refuses never take from it
   * @throws {ApiError} `RATE_LIMITED` if a bucket is empty; `Retry-After` (seconds) is the longest wait among them
   */
  count(reply: FastifyReply, ...uses: readonly Use[]): Promise<void>
  /** As `count`, always in the memory of this process: for calls that are too cheap to spend a statement on. */
  countHere(reply: FastifyReply, ...uses: readonly Use[]): Promise<void>
  /** Takes a token for something already done; never refuses. */
  note(name: LimitName, key: string): Promise<void>
  /**
   * As `count`, for a call that causes a mail; also enforces the limit on mails queued by this process
   * (docs/decisions/0029).
   * @throws {ApiError} `RATE_LIMITED`, also when that limit is reached and the caller's network has used up its share
   */
  countMail(reply: FastifyReply, ip: string, ...uses: readonly Use[]): Promise<void>
  /**
   * Gives back what was counted for this reply in memory, and removes its `RateLimit` fields: the call changed nothing,
   * and its answer says that it can be repeated. What PostgreSQL counted stays counted.
   */
  giveBack(reply: FastifyReply): void
  /** What was counted for this reply stays counted. Call it before the answer, also a 503, can tell what a limit protects. */
  keep(reply: FastifyReply): void
}>

export type Use = readonly [LimitName, string]

/** The limit for each network around a client, from the narrowest to the widest; each is looser than the one before. */
export function perNetwork(name: NetworkLimitName, ip: string): readonly Use[] {
  const { client, site, wide } = clientNetworks(ip)
  const own: Use = [name, client]
  const around: Use = [`${name}-site`, site]
  return site === wide ? [own, around] : [own, around, [`${name}-wide`, wide]]
}

const nothing = async () => {}

/** @param shared absent: the buckets are in this process's memory */
export function createRateLimits(config: Config, clock: Clock, shared?: SharedBuckets): RateLimits {
  if (config.rateLimits === 'off') {
    return { count: nothing, countHere: nothing, countMail: nothing, note: nothing, giveBack() {}, keep() {} }
  }
  const limits: Readonly<Record<LimitName, Limit>> = limitsOf(config)
  const inMemory = createMemoryBuckets()
  const takeAll = shared ? createSharedBuckets(shared, inMemory) : inMemory
  const queued = createFairShare(config.limitMailQueue, clock)

  const takesOf = (uses: readonly Use[]): readonly Take[] => {
    const nowMs = clock.now()
    return uses.map(([name, key]) => takeOf(`${name}:${sha256(key)}`, limits[name].rate, nowMs, limits[name]))
  }
  const countIn =
    (from: TakeAll): RateLimits['count'] =>
    async (reply, ...uses) => {
      const { states, giveBack } = await from(takesOf(uses))
      const shown = uses.map(([name], index): Shown => [name, limits[name], states[index] as BucketState])
      writeFields(reply, shown)
      const refusals = shown.filter(([, , { isAllowed }]) => !isAllowed)
      const [longest] = refusals.toSorted(([, , one], [, , other]) => other.msBeforeNext - one.msBeforeNext)
      if (longest !== undefined) throw new RateLimitedError(longest[0], toSeconds(longest[2].msBeforeNext))
      reply.giveBacks = [...(reply.giveBacks ?? []), giveBack]
    }

  const count = countIn(takeAll)
  return {
    count,
    countHere: countIn(inMemory),
    async note(...use) {
      await takeAll(takesOf([use]))
    },
    async countMail(reply, ip, ...uses) {
      const networks = clientNetworks(ip)
      // First, so that a call refused here takes nothing from the address's limit.
      const refusedForMs = queued.refusedForMs(networks)
      if (refusedForMs > 0) throw new RateLimitedError('mail-queue', toSeconds(refusedForMs))
      await count(reply, ...uses)
      reply.giveBacks = [...(reply.giveBacks ?? []), queued.count(networks)]
    },
    giveBack(reply) {
      if (reply.giveBacks === null) return
      for (const giveBack of reply.giveBacks) giveBack()
      reply.giveBacks = null
      reply.removeHeader('ratelimit').removeHeader('ratelimit-policy')
    },
    keep(reply) {
      reply.giveBacks = null
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

// Rounded up, so that a caller who waits this long is let through.
const toSeconds = (milliseconds: number): number => Math.ceil(milliseconds / 1000)

type Limit = Readonly<{
  rate: Rate
  /** Many clients take from it. Shown only when it refuses: its state reveals the others' calls. */
  isShared?: true
  blockSeconds?: number
}>

type NetworkLimitName = 'request-client' | 'email-changes-client' | 'signup-hour' | 'signup-day' | 'leak-reports'

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
    'email-changes': { rate: config.limitEmailChanges },
    ...limitsOfNetworks('email-changes-client', config.limitEmailChangesClient, config),
    'email-changes-address': { rate: config.limitEmailChangesAddress, isShared: true },
    'app-requests': { rate: config.limitAppRequests },
    export: { rate: config.limitExport },
    ...limitsOfNetworks('leak-reports', config.limitLeakReports, config),
    'payment-links': { rate: config.limitPaymentLinks },
    reads: { rate: config.limitReads },
    'sign-in-failures': { rate: config.limitSignInFailures },
  } as const satisfies Readonly<Record<string, Limit>>
}
