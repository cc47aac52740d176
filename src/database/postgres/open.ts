import { Pool, types } from 'pg'
import type { ClientBase, QueryConfig } from 'pg'
import type { Log } from '../../lib/log.ts'
import { keepPrepared } from './bounded-pool.ts'
import { StandbyError } from './errors.ts'
import { PostgresDatabase } from './postgres-database.ts'

// Together these stay below two seconds, after which a caller gets UNAVAILABLE.
/** Timeout for getting a connection from the pool, and for connecting. */
const CONNECT_TIMEOUT_MS = 700
/** Time limit from getting a connection to releasing it. */
const USE_TIMEOUT_MS = 900
/** How long a write may wait for other writes of the same account. */
const QUEUE_TIMEOUT_MS = 2000
const IDLE_TIMEOUT_MS = 30_000
/** Lifetime of connections with prepared statements, so that plans made for small tables expire. */
const PREPARED_LIFETIME_SECONDS = 600
/** Idle time before TCP keepalive probes; a lost server is noticed ten seconds later. */
const KEEP_ALIVE_AFTER_MS = 10_000
/** One connection in this many is reserved for batched reads. */
const CONNECTIONS_PER_GUARD_CONNECTION = 4
/** The oid of `bigint`, which pg returns as text because it can exceed the safe integers. */
const INT8 = 20

/** Time limits for work other than answering calls. */
export type TimeLimits = Readonly<{
  /** Per transaction, or per statement outside of one. */
  answerTimeoutMs: number
  connectTimeoutMs?: number
  /** For other writes of the same account; default: `answerTimeoutMs`. */
  queueTimeoutMs?: number
  /** Transactions may await other things than their own statements; safe only without concurrent users. */
  allowsOtherWaits?: boolean
}>

/**
 * Connects on the first query.
 * @param url `postgres://…` with the usual parameters, such as `sslmode`
 * @param size maximum number of connections, including those reserved for batched reads
 */
export function openPostgres(
  url: string,
  size: number,
  log: Log,
  {
    answerTimeoutMs,
    connectTimeoutMs = CONNECT_TIMEOUT_MS,
    queueTimeoutMs = answerTimeoutMs,
    allowsOtherWaits = false,
  }: TimeLimits = { answerTimeoutMs: USE_TIMEOUT_MS, queueTimeoutMs: QUEUE_TIMEOUT_MS },
): PostgresDatabase {
  const bounds = { answerTimeoutMs, connectTimeoutMs, allowsOtherWaits }
  const connectionsOf = (max: number, isForGuard = false) => {
    const pool = new Pool({
      connectionString: url,
      max,
      connectionTimeoutMillis: connectTimeoutMs,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      ...(isForGuard && { maxLifetimeSeconds: PREPARED_LIFETIME_SECONDS }),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      application_name: 'paylink-auth',
      onConnect: (client) => checkServer(client, connectTimeoutMs, isForGuard),
      types: {
        getTypeParser: ((oid: number, format?: 'text') =>
          oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
      },
    })
    // Without a listener, an idle connection cut by the server would end the process.
    pool.on('error', (err) => log.warn({ err }, 'database connection lost'))
    return pool
  }
  if (size === 1) {
    const pool = connectionsOf(1)
    return new PostgresDatabase([{ name: 'calls', pool }], bounds, queueTimeoutMs)
  }
  const forGuard = Math.ceil(size / CONNECTIONS_PER_GUARD_CONNECTION)
  return new PostgresDatabase(
    [
      { name: 'calls', pool: connectionsOf(size - forGuard) },
      { name: 'guard', pool: connectionsOf(forGuard, true) },
    ],
    bounds,
    queueTimeoutMs,
  )
}

async function checkServer(client: ClientBase, answerTimeoutMs: number, isForGuard: boolean): Promise<void> {
  const text = `select current_setting('transaction_read_only') as read_only, current_setting('server_encoding') as encoding, pg_backend_pid() as pid`
  // pg's types declare `query_timeout` for the connection only.
  const query = { text, query_timeout: answerTimeoutMs } as QueryConfig
  const { rows } = await client.query<{ read_only: string; encoding: string; pid: number }>(query)
  // A standby may lag: a token revoked on the primary would be accepted.
  if (rows[0]?.read_only !== 'off') throw new StandbyError()
  // In another encoding, names and mails with characters that it lacks could not be stored. SQL_ASCII stores any.
  const { encoding, pid } = rows[0]
  if (encoding !== 'UTF8' && encoding !== 'SQL_ASCII')
    throw new Error(
      `the database has the encoding ${encoding}, not UTF8. Create another with TEMPLATE template0 ENCODING 'UTF8'`,
    )
  // Planning a guard read takes the server three times as long as executing it. Behind pgbouncer, where the next
  // statement may reach another server, the process ids differ.
  if (isForGuard && pid === Reflect.get(client, 'processID')) keepPrepared(client)
}
