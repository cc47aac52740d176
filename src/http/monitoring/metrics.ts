/** Counts calls, sign-ins and tokens: a few additions per call, formatted only when /metrics is read. */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { unavailableReasons } from '../../errors.ts'
import type { UnavailableReason } from '../../errors.ts'
import type { App, SignInMethod } from '../endpoint.ts'

export const LATENCY_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const

const BUCKETS_MS = LATENCY_BUCKETS_SECONDS.map((seconds) => seconds * 1000)

/** The responses of one method of one route. */
export type CallCounts = Readonly<{
  method: string
  /** The route pattern, never the path, which contains ids and arbitrary text of the caller. */
  route: string
  byStatus: Map<number, number>
  /** Counts per bucket of the histogram, not cumulative; the last is for everything above the highest bound. */
  byLatency: number[]
  seconds: () => number
  count: (status: number, milliseconds: number) => void
}>

export type SignInCounts = {
  readonly signInMethod: SignInMethod
  successes: number
  readonly failuresByCode: Map<string, number>
}

/** Counts since the process started. */
export type Counts = Readonly<{
  calls: () => readonly CallCounts[]
  signIns: () => readonly SignInCounts[]
  /** Calls that the database refused, by cause. */
  refusals: ReadonlyMap<UnavailableReason, number>
  /** Accepted tokens by their encoded JWT header, which names the key. */
  tokensByHeader: ReadonlyMap<string, number>
  /** Counts a token that passed the guard. @param authorization the whole header field */
  noteToken: (authorization: string) => void
}>

/** Counts the responses of every route added after this call. */
export function countCalls(app: App): Counts {
  const calls = new Map<string, CallCounts>()
  const signIns: SignInCounts[] = []
  const tokensByHeader = new Map<string, number>()
  // Zero too: an alert needs the series before the first refusal.
  const refusals = new Map<UnavailableReason, number>(unavailableReasons.map((reason) => [reason, 0]))

  const countsOf = (method: string, route: string): CallCounts => {
    const key = `${method} ${route}`
    const counts = calls.get(key) ?? newCounts(method, route)
    calls.set(key, counts)
    return counts
  }

  // A hook per route has its counters at hand: a lookup per call would cost more than the counting.
  app.addHook('onRoute', (route: RouteOptions) => {
    const byMethod = new Map([route.method].flat().map((method) => [method, countsOf(method, route.url)]))
    const { signIn, errors = [] } = route.config ?? {}
    const ofWay = signIn && {
      signInMethod: signIn,
      successes: 0,
      failuresByCode: new Map<string, number>(errors.map((code) => [code, 0])),
    }
    if (ofWay) signIns.push(ofWay)
    const count = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      const ofMethod = byMethod.get(request.method)
      ofMethod?.count(reply.statusCode, reply.elapsedTime)
      if (ofWay && ofMethod) countSignIn(ofWay, request, reply)
      done()
    }
    route.onResponse = [...[route.onResponse ?? []].flat(), count]
  })
  // Requests without a route run only the global hooks.
  app.addHook('onResponse', (request, reply, done) => {
    const reason = request.unavailableReason
    if (reason !== null) refusals.set(reason, (refusals.get(reason) ?? 0) + 1)
    if (request.is404) countsOf(request.method, 'none').count(reply.statusCode, reply.elapsedTime)
    done()
  })

  return {
    calls: () => [...calls.values()].filter(({ byStatus }) => byStatus.size > 0),
    signIns: () => signIns,
    refusals,
    tokensByHeader,
    noteToken(authorization) {
      const [header = ''] = authorization.slice('Bearer '.length).trimStart().split('.', 1)
      tokensByHeader.set(header, (tokensByHeader.get(header) ?? 0) + 1)
    },
  }
}

function newCounts(method: string, route: string): CallCounts {
  const byStatus = new Map<number, number>()
  const byLatency = [...BUCKETS_MS.map(() => 0), 0]
  let sumMs = 0
  return {
    method,
    route,
    byStatus,
    byLatency,
    seconds: () => sumMs / 1000,
    count(status, milliseconds) {
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      let bucket = 0
      while (bucket < BUCKETS_MS.length && milliseconds > (BUCKETS_MS[bucket] ?? 0)) bucket += 1
      byLatency[bucket] = (byLatency[bucket] ?? 0) + 1
      sumMs += milliseconds
    },
  }
}

function countSignIn(counts: SignInCounts, { errorCode }: FastifyRequest, { statusCode }: FastifyReply): void {
  if (errorCode !== null) {
    counts.failuresByCode.set(errorCode, (counts.failuresByCode.get(errorCode) ?? 0) + 1)
  } else if (statusCode < 300 || counts.signInMethod === 'google') {
    // A redirect of the Google callback carries a token; that of a mailed link only leads to a page with a button.
    counts.successes += 1
  }
}
