/** Counts that all processes share, in the database; while that is away, each process counts for itself. */
import { nextTurn, sleep, systemClock } from '../../lib/clock.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Log } from '../../lib/log.ts'
import type { Answer, Counts, Limit, Use } from './counters.ts'
import { bucketAnswer } from './token-bucket.ts'

/** How long a count is waited for, in milliseconds: what the call came for has to fail in time too. */
const COUNTED_WITHIN_MS = 400
/** How long the database is not asked again after it did not count, in milliseconds. */
const INSURED_FOR_MS = 1000

/** Where processes count together. */
export type SharedCounts = Readonly<{
  store: CountStore
  log: Log
  /** How long a count is waited for, in milliseconds; absent: as long as a caller has time for it. */
  countedWithinMs?: number
}>

type CountStore = Readonly<{
  /** Counts each window and then takes from the bucket, if all of them accept; in one round trip. */
  count(
    asked: Readonly<{ windows: readonly AskedWindow[]; nowMs: number; bucket?: AskedBucket | undefined }>,
  ): Promise<Readonly<{ windows: readonly CountedWindow[]; bucket?: CountedBucket | undefined }>>
  /** Makes a bucket full by then at the latest. */
  emptyBucket(key: string, fullAtMs: number): Promise<void>
}>

type AskedWindow = Readonly<{ key: string; most: number; windowMs: number; blockMs: number }>
type AskedBucket = Readonly<{ key: string; refillMs: number; longestMs: number; nowMs: number }>
type CountedWindow = Readonly<{ isCounted: boolean; points: number; expireMs: number | null }>
type CountedBucket = Readonly<{ isTaken: boolean; fullAtMs: number | null }>

/** Makes them. @param clock of the buckets; windows go by the machine's, as they do in memory */
export function createSharedCounts(shared: SharedCounts, clock: Clock, inMemory: Counts): Counts {
  const { store, log, countedWithinMs = COUNTED_WITHIN_MS } = shared
  let isAway = false

  async function insure(err: unknown): Promise<void> {
    if (isAway) return
    isAway = true
    log.warn({ err }, 'rate limits are counted in memory: the database did not count')
    await sleep(INSURED_FOR_MS, new AbortController().signal)
    isAway = false
  }

  return {
    async count(uses) {
      // A limit that cannot be counted in common must neither refuse everybody nor let everything through;
      // and whoever has waited for it once has no time left to wait again.
      if (isAway) return inMemory.count(uses)
      try {
        return await within(countedWithinMs, countIn(store, clock, uses))
      } catch (error) {
        void insure(error)
        return inMemory.count(uses)
      }
    },
  }
}

async function countIn(store: CountStore, clock: Clock, uses: readonly Use[]): Promise<readonly Answer[]> {
  const windows = uses.filter(({ limit }) => limit.kind === 'window')
  const buckets = uses.filter(({ limit }) => limit.kind === 'bucket')
  if (buckets.length > 1) throw new Error('one bucket at a time')
  const nowMs = systemClock.now()
  const bucket = buckets[0] && toAskedBucket(buckets[0], clock.now())
  const counted = await store.count({ windows: windows.map(toAsked), nowMs, bucket })
  // Others counted meanwhile, at later times than this call's.
  const answeredMs = systemClock.now()
  const ofWindows = windows.map(({ limit }, index) => windowAnswer(limit, answeredMs, counted.windows[index]))
  const isRefused = ofWindows.some(({ isAllowed }) => !isAllowed)
  const ofBucket = bucket && (await settle(store, bucket, counted.bucket, isRefused))
  return uses.map((use) => {
    if (use.limit.kind === 'window') return ofWindows[windows.indexOf(use)] as Answer
    const { isAllowed = false, emptiness = 0 } = ofBucket ?? {}
    return bucketAnswer(use.limit.rate, isAllowed, emptiness)
  })
}

function toAsked({ limit: { name, rate, blockSeconds }, key }: Use): AskedWindow {
  const [windowMs, blockMs] = [rate.seconds * 1000, blockSeconds * 1000]
  return { key: `${name}:${key}`, most: rate.count, windowMs, blockMs }
}

function toAskedBucket({ limit: { rate }, key }: Use, nowMs: number): AskedBucket {
  const refillMs = Math.ceil((rate.seconds * 1000) / rate.count)
  return { key, refillMs, longestMs: rate.count * refillMs, nowMs }
}

function windowAnswer({ rate, blockSeconds }: Limit, nowMs: number, state: CountedWindow | undefined): Answer {
  const { isCounted = false, points = 0, expireMs } = state ?? {}
  const longestMs = Math.max(rate.seconds, blockSeconds) * 1000
  return {
    isAllowed: isCounted ? points <= rate.count : points < rate.count,
    remaining: Math.max(0, rate.count - points),
    msBeforeNext: Math.min(longestMs, Math.max(0, (expireMs ?? nowMs) - nowMs)),
  }
}

async function settle(store: CountStore, bucket: AskedBucket, first: CountedBucket | undefined, isRefused: boolean) {
  const { key, nowMs, refillMs, longestMs } = bucket
  for (let state = first; ; state = (await store.count({ windows: [], nowMs, bucket })).bucket) {
    const isTaken = state?.isTaken === true
    const untilFullMs = Math.max(0, (state?.fullAtMs ?? 0) - nowMs)
    const emptiness = Math.min(untilFullMs, longestMs) / refillMs
    // The clock was set back: the bucket is empty, and must not stay so until the clock is where it was.
    if (untilFullMs > longestMs) await store.emptyBucket(key, nowMs + longestMs)
    const isAllowed = isTaken || untilFullMs + refillMs <= longestMs
    // Where there was one to take and none was taken, others took it at this moment: what is left then?
    if (isTaken || isRefused || !isAllowed) return { isAllowed, emptiness }
  }
}

async function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  const answered = new AbortController()
  // After a turn that took long the answer may be there, and just not be read yet.
  const late = sleep(milliseconds, answered.signal).then(nextTurn).then(() => {
    throw new Error(`no answer within ${milliseconds} ms`)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    answered.abort()
  }
}
