/** What the process counts of its calls: plain numbers, a few additions a call, which are put into words when they are asked for. */
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { App, WayIn } from '../endpoint.ts'

/** The upper bounds of the latency histogram, in seconds. */
export const LATENCY_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5] as const

const BUCKETS_MS = LATENCY_BUCKETS_SECONDS.map((seconds) => seconds * 1000)

/** Answers of one method of one route. */
export type CallCounts = Readonly<{
  method: string
  /** The route's pattern, never a path: that holds ids and whatever a caller puts there. */
  route: string
  byStatus: Map<number, number>
  /** How many took at most as long as each bound and longer than the one before; the last: longer than all. */
  byLatency: number[]
  seconds: () => number
  count: (status: number, milliseconds: number) => void
}>

/** Sign-ins by one way. */
export type SignInCounts = { readonly way: WayIn; successes: number; readonly failuresByCode: Map<string, number> }

/** What was counted since the process started. */
export type Counts = Readonly<{
  calls: () => readonly CallCounts[]
  signIns: () => readonly SignInCounts[]
  /** Accepted tokens, by the first part of their text, which says the key. */
  tokensByHeader: ReadonlyMap<string, number>
  /** Counts a token that passed the guard. @param authorization the header field, as the guard took it */
  noteToken: (authorization: string) => void
}>

/** Counts what every route added from now on answers. */
export function countCalls(app: App): Counts {
  const calls = new Map<string, CallCounts>()
  const signIns: SignInCounts[] = []
  const tokensByHeader = new Map<string, number>()

  const countsOf = (method: string, route: string): CallCounts => {
    const key = `${method} ${route}`
    const counts = calls.get(key) ?? newCounts(method, route)
    calls.set(key, counts)
    return counts
  }

  // A hook of its own for each route, which has its numbers at hand: finding them by call would cost more than adding.
  app.addHook('onRoute', (route: RouteOptions) => {
    const byMethod = new Map([route.method].flat().map((method) => [method, countsOf(method, route.url)]))
    const { signIn, errors = [] } = route.config ?? {}
    const ofWay = signIn && {
      way: signIn,
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
  // What there is no route for has only the hooks of all.
  app.addHook('onResponse', (request, reply, done) => {
    if (request.is404) countsOf(request.method, 'none').count(reply.statusCode, reply.elapsedTime)
    done()
  })

  return {
    calls: () => [...calls.values()].filter(({ byStatus }) => byStatus.size > 0),
    signIns: () => signIns,
    tokensByHeader,
    noteToken(authorization) {
      const header = authorization.slice('Bearer '.length, authorization.indexOf('.'))
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
  } else if (statusCode < 300 || counts.way === 'google') {
    // The callback leads a browser on with its token; the link of a mail leads one to a page that asks for a click first.
    counts.successes += 1
  }
}
