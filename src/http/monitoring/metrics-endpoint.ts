/** `GET /metrics`: what the process counted, for Prometheus and whoever has `METRICS_TOKEN`; without that setting no such path. */
import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Metric } from 'prom-client'
import type { Config } from '../../config/settings.ts'
import { ApiError } from '../../errors.ts'
import { sleep } from '../../lib/clock.ts'
import { keyIdOfSecret, sameHash, sha256 } from '../../lib/hash.ts'
import type { Log } from '../../lib/log.ts'
import type { App } from '../endpoint.ts'
import { LATENCY_BUCKETS_SECONDS } from './metrics.ts'
import type { CallCounts, Counts } from './metrics.ts'

/** How long the database is waited for, in milliseconds: it may be what a scrape is to tell about. */
const DATABASE_WITHIN_MS = 1000

/** Connections of one pool to the database. */
export type PoolFigures = Readonly<{ pool: string; inUse: number; idle: number; waiting: number; most: number }>

/** Mails that are to go out now: how many, and since when the oldest of them waits, in milliseconds. */
export type MailQueueFigures = Readonly<{ length: number; oldestAgeMs: number }>

/** What is looked up when it is asked for. */
export type Looks = Readonly<{
  mailQueue: () => Promise<MailQueueFigures>
  /** By outcome. */
  mailAttempts: () => Readonly<Record<string, number>>
  pools: () => readonly PoolFigures[]
}>

type Sample = Readonly<{ value: number; labels?: Readonly<Record<string, string | number>>; metricName?: string }>

/** What the figures are made from. */
export type MetricsSource = Readonly<{ config: Config; log: Log; version: string; counts: Counts; looks: Looks }>

/** Adds it. @param token whoever shows it is answered */
export function addMetrics(app: App, token: string, source: MetricsSource): void {
  const expected = sha256(token)
  const registry = createRegistry(source)
  app.get('/metrics', {
    config: { access: 'public' },
    schema: { hide: true },
    onRequest: async ({ headers: { authorization = '' } }) => {
      if (/^bearer /i.test(authorization) && sameHash(sha256(authorization.slice('Bearer '.length)), expected)) return
      const error = authorization === '' ? '' : ', error="invalid_token"'
      throw new ApiError('UNAUTHORIZED', { headers: { 'www-authenticate': `Bearer realm="metrics"${error}` } })
    },
    handler: async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
  })
}

function createRegistry({ config, log, version, counts, looks }: MetricsSource): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const add = (
    type: 'counter' | 'gauge' | 'histogram',
    name: string,
    help: string,
    look: () => readonly Sample[] | Promise<readonly Sample[]>,
  ) => {
    const full = `paylink_auth_${name}`
    // The library's own classes keep what they are told by call; ours is kept already.
    const get = async () => ({ name: full, help, type, aggregator: 'sum', values: await look() })
    registry.registerMetric({ name: full, help, get } as unknown as Metric)
  }

  add('gauge', 'build_info', 'The version that runs.', () => [{ value: 1, labels: { version } }])
  add('counter', 'requests_total', 'Answers, by route and status. Route "none": there is no such path.', () =>
    counts
      .calls()
      .flatMap(({ method, route, byStatus }) =>
        [...byStatus].map(([status, value]) => ({ value, labels: { method, route, status } })),
      ),
  )
  add('histogram', 'request_duration_seconds', 'From the request to its whole answer, by route.', () =>
    counts.calls().flatMap(toHistogram),
  )
  add('counter', 'sign_ins_total', 'Access tokens issued, by way in; api_key: exchanges.', () =>
    counts.signIns().map(({ way, successes }) => ({ value: successes, labels: { way } })),
  )
  add('counter', 'sign_in_failures_total', 'Calls of a way in that were refused or failed, by error code.', () =>
    counts
      .signIns()
      .flatMap(({ way, failuresByCode }) =>
        [...failuresByCode].map(([code, value]) => ({ value, labels: { way, code } })),
      ),
  )
  add(
    'counter',
    'tokens_accepted_total',
    'Access tokens that passed the guard, by the key that verified them and the setting that holds it.',
    () => tokensByKey(config, counts.tokensByHeader),
  )

  add('counter', 'mail_attempts_total', 'What came of attempts at mails; failed: tried again later.', () =>
    Object.entries(looks.mailAttempts()).map(([outcome, value]) => ({ value, labels: { outcome } })),
  )

  const queue = boundedLook(looks.mailQueue, log)
  add(
    'gauge',
    'database_up',
    'Whether the database answered this scrape in time; 0: figures of the database are missing.',
    async () => [{ value: (await queue()) === undefined ? 0 : 1 }],
  )
  add(
    'gauge',
    'mail_queue_length',
    'Mails that are to go out now, failed attempts included. Of the database that all processes share.',
    async () => [await queue()].flatMap((figures) => (figures ? [{ value: figures.length }] : [])),
  )
  add(
    'gauge',
    'mail_queue_oldest_age_seconds',
    'For how long the oldest of them waits; 0: there is none. Of the database that all processes share.',
    async () => [await queue()].flatMap((figures) => (figures ? [{ value: figures.oldestAgeMs / 1000 }] : [])),
  )
  if (looks.pools().length > 0) {
    const ofPools = (look: (figures: PoolFigures) => number) => () =>
      looks.pools().map((figures) => ({ value: look(figures), labels: { pool: figures.pool } }))
    add(
      'gauge',
      'database_connections_in_use',
      'Connections to PostgreSQL that something is done on.',
      ofPools(({ inUse }) => inUse),
    )
    add(
      'gauge',
      'database_connections_idle',
      'Connections to PostgreSQL that are open and free.',
      ofPools(({ idle }) => idle),
    )
    add(
      'gauge',
      'database_connections_waiting',
      'Calls that wait for a connection to PostgreSQL.',
      ofPools(({ waiting }) => waiting),
    )
    add(
      'gauge',
      'database_connections_most',
      'How many connections to PostgreSQL this process may open.',
      ofPools(({ most }) => most),
    )
  }
  return registry
}

function toHistogram({ method, route, byLatency, seconds }: CallCounts): Sample[] {
  const labels = { method, route }
  const name = 'paylink_auth_request_duration_seconds'
  let value = 0
  const buckets = byLatency.map((count, index) => {
    value += count
    return { metricName: `${name}_bucket`, value, labels: { ...labels, le: LATENCY_BUCKETS_SECONDS[index] ?? '+Inf' } }
  })
  return [
    ...buckets,
    { metricName: `${name}_sum`, value: seconds(), labels },
    { metricName: `${name}_count`, value, labels },
  ]
}

// Those that no token came by are there too: zero is what says that a retired secret can go.
function tokensByKey({ jwtSecret, jwtSecretVerify }: Config, tokensByHeader: ReadonlyMap<string, number>): Sample[] {
  const accepted = new Map<string, number>()
  for (const [header, count] of tokensByHeader) {
    const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString()) as { kid: string }
    accepted.set(kid, (accepted.get(kid) ?? 0) + count)
  }
  return [jwtSecret, ...jwtSecretVerify].map((secret, index) => {
    const kid = keyIdOfSecret(secret)
    return { value: accepted.get(kid) ?? 0, labels: { kid, setting: index === 0 ? 'JWT_SECRET' : 'JWT_SECRET_VERIFY' } }
  })
}

/** One look for all that ask within it, and none besides, however slow the database is; `undefined`: it gave no answer in time. */
function boundedLook<T>(look: () => Promise<T>, log: Log): () => Promise<T | undefined> {
  let looking: Promise<T | undefined> | undefined
  return async () => {
    looking ??= look()
      .catch((err: unknown): undefined => {
        log.warn({ err }, 'no figures of the database')
      })
      .finally(() => void (looking = undefined))
    const over = new AbortController()
    try {
      return await Promise.race([looking, sleep(DATABASE_WITHIN_MS, over.signal).then(() => undefined)])
    } finally {
      over.abort()
    }
  }
}
