import { collectDefaultMetrics, Registry } from 'prom-client'
import type { Metric } from 'prom-client'
import type { Config } from '../../config/settings.ts'
import type { DomainDeps } from '../../domain/deps.ts'
import type { OAuthCounts } from '../../domain/oauth/oauth-counts.ts'
import { keyIdOfSecret } from '../../lib/hash.ts'
import type { Log } from '../../lib/log.ts'
import type { Stalls } from './heartbeat.ts'
import { LATENCY_BUCKETS_SECONDS } from './metrics.ts'
import type { CallCounts, Counts } from './metrics.ts'
import { sharedQuery } from './shared-query.ts'

/** Mails due now or to be retried, at most 10,000 counted; `oldestAgeMs` is 0 if there is none. */
type MailQueueStats = Readonly<{ length: number; oldestAgeMs: number }>

/** `ratesAgeMs`: undefined while a rate is missing. */
type DatabaseStats = Readonly<{ mailQueue: MailQueueStats; ratesAgeMs: number | undefined }>

/** Values read on every scrape. */
type MetricsQueries = Readonly<{
  database: () => Promise<DatabaseStats>
  /** Attempts by outcome. */
  mailAttempts: () => Readonly<Record<string, number>>
  /** Look-ups by result. */
  clientDocuments: () => Readonly<Record<string, number>>
  apps: OAuthCounts['apps']
  tokenRequests: OAuthCounts['tokenRequests']
  pools: DomainDeps['db']['pools']
  space: DomainDeps['db']['space']
}>

type Space = NonNullable<Awaited<ReturnType<MetricsQueries['space']>>>
type PoolState = ReturnType<MetricsQueries['pools']>[number]

type Sample = Readonly<{ value: number; labels?: Readonly<Record<string, string | number>>; metricName?: string }>

export type MetricsSource = Readonly<{
  config: Config
  log: Log
  version: string
  counts: Counts
  stalls: Stalls
  queries: MetricsQueries
}>

export function createRegistry(
  { config, log, version, counts, stalls, queries }: MetricsSource,
  pools: () => readonly PoolState[],
): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const add = (
    type: 'counter' | 'gauge' | 'histogram',
    name: string,
    help: string,
    read: () => readonly Sample[] | Promise<readonly Sample[]>,
  ) => {
    const full = `paylink_auth_${name}`
    // prom-client's metric classes keep their own values; these are already counted elsewhere.
    const get = async () => ({ name: full, help, type, aggregator: 'sum', values: await read() })
    registry.registerMetric({ name: full, help, get } as unknown as Metric)
  }

  add('gauge', 'build_info', 'The running version.', () => [{ value: 1, labels: { version } }])
  add('counter', 'requests_total', 'Responses by method, route and status. Route "none": unknown path.', () =>
    counts
      .calls()
      .flatMap(({ method, route, byStatus }) =>
        [...byStatus].map(([status, value]) => ({ value, labels: { method, route, status } })),
      ),
  )
  add('histogram', 'request_duration_seconds', 'Time from the request to the end of its response, by route.', () =>
    counts.calls().flatMap(toHistogram),
  )
  add('counter', 'sign_ins_total', 'Access tokens issued, by sign-in method; api_key: token exchanges.', () =>
    counts
      .signIns()
      .map(({ signInMethod, successes }) => ({ value: successes, labels: { sign_in_method: signInMethod } })),
  )
  add('counter', 'sign_in_failures_total', 'Failed sign-ins, by method and error code.', () =>
    counts
      .signIns()
      .flatMap(({ signInMethod, failuresByCode }) =>
        [...failuresByCode].map(([code, value]) => ({ value, labels: { sign_in_method: signInMethod, code } })),
      ),
  )
  add(
    'counter',
    'tokens_accepted_total',
    'Accepted access tokens, by the key that verified them and the setting that holds it.',
    () => tokensByKey(config, counts.tokensByHeader),
  )

  add('counter', 'oauth_token_requests_total', 'Requests for OAuth tokens, by grant type and result.', () =>
    queries.tokenRequests().map(({ grantType, result, count }) => ({
      value: count,
      labels: { grant_type: grantType, result },
    })),
  )
  add('counter', 'apps_total', 'Apps that were connected, and disconnected by people, apps or a code used twice.', () =>
    Object.entries(queries.apps()).map(([change, value]) => ({ value, labels: { change } })),
  )
  add('counter', 'client_documents_total', 'Look-ups of the metadata documents of apps, by result.', () =>
    Object.entries(queries.clientDocuments()).map(([result, value]) => ({ value, labels: { result } })),
  )

  add('counter', 'mail_attempts_total', 'Attempts to send a mail, by outcome; refused, failed: retried later.', () =>
    Object.entries(queries.mailAttempts()).map(([outcome, value]) => ({ value, labels: { outcome } })),
  )

  add('counter', 'database_refusals_total', 'Calls answered 503 because of the database, by cause.', () =>
    [...counts.refusals].map(([reason, value]) => ({ value, labels: { reason } })),
  )

  add(
    'counter',
    'event_loop_stalled_seconds_total',
    'Time in which nothing was answered, in stalls of 0.1 s or more.',
    () => [{ value: stalls.totalSeconds() }],
  )
  add('gauge', 'event_loop_longest_stall_seconds', 'The longest such stall of the last five minutes; 0: none.', () => [
    { value: stalls.longestSeconds() },
  ])

  const database = sharedQuery(queries.database, log)
  add(
    'gauge',
    'database_up',
    '1 if the database answered this scrape in time; 0: the metrics read from it are missing.',
    async () => [{ value: (await database()) === undefined ? 0 : 1 }],
  )
  add(
    'gauge',
    'mail_queue_length',
    'Mails waiting to be sent, retries included, held-back ones not; at most 10,000. The same in all processes.',
    async () => [await database()].flatMap((stats) => (stats ? [{ value: stats.mailQueue.length }] : [])),
  )
  add(
    'gauge',
    'mail_queue_oldest_age_seconds',
    'How long the oldest of them has waited; 0 if there is none. The same in all processes.',
    async () => [await database()].flatMap((stats) => (stats ? [{ value: stats.mailQueue.oldestAgeMs / 1000 }] : [])),
  )
  add(
    'gauge',
    'exchange_rates_age_seconds',
    'Time since the start of the day of the exchange rates; infinite while there are none, though a source is set.',
    async () => [await database()].flatMap((stats) => (stats ? ratesAge(config, stats.ratesAgeMs) : [])),
  )
  if (pools().length === 0) {
    const space = sharedQuery(queries.space, log)
    const perSpace = (read: (space: Space) => number) => async () =>
      [await space()].flatMap((found) => (found ? [{ value: read(found) }] : []))
    add(
      'gauge',
      'database_free_bytes',
      'Free space of the disk that holds the embedded database.',
      perSpace(({ freeBytes }) => freeBytes),
    )
    add(
      'gauge',
      'database_reserve_whole',
      '1 if the space for revocations on a full disk is there.',
      perSpace(({ isReserveWhole }) => (isReserveWhole ? 1 : 0)),
    )
    add(
      'gauge',
      'database_full',
      '1 while writes are refused because the disk is full, except for revocations.',
      perSpace(({ isFull }) => (isFull ? 1 : 0)),
    )
  } else {
    const perPool = (read: (stats: PoolState) => number) => () =>
      pools().map((stats) => ({ value: read(stats), labels: { pool: stats.pool } }))
    add(
      'gauge',
      'database_connections_in_use',
      'PostgreSQL connections in use.',
      perPool(({ inUse }) => inUse),
    )
    add(
      'gauge',
      'database_connections_idle',
      'Idle PostgreSQL connections.',
      perPool(({ idle }) => idle),
    )
    add(
      'gauge',
      'database_connections_waiting',
      'Calls waiting for a PostgreSQL connection.',
      perPool(({ waiting }) => waiting),
    )
    add(
      'gauge',
      'database_connections_max',
      'The maximum number of PostgreSQL connections of this process.',
      perPool(({ max }) => max),
    )
  }
  return registry
}

function ratesAge({ exchangeRatesUrl }: Config, ageMs?: number): Sample[] {
  if (ageMs !== undefined) return [{ value: ageMs / 1000 }]
  return exchangeRatesUrl === 'off' ? [] : [{ value: Infinity }]
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

// Keys without a token are listed too: zero tells the operator that a retired secret can be removed.
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
