/** Opens PostgreSQL: pools with a bounded number of connections, on which no wait is endless. */
import { Pool, types } from 'pg'
import type { ClientBase, QueryConfig } from 'pg'
import type { Log } from '../../lib/log.ts'
import { keepPrepared } from './bounded-pool.ts'
import { StandbyError } from './errors.ts'
import { PostgresDatabase } from './postgres-database.ts'

// Together with the wait for other writers of the same account they are below the two seconds within which a caller is
// told that the database cannot serve.
/** How long a caller waits for a connection, and a connection for the server. */
const CONNECTED_WITHIN_MS = 700
/** How long everything done on a connection may take. */
const ANSWERED_WITHIN_MS = 900
const IDLE_TIMEOUT_MS = 30_000
/** Lifetime of a connection with prepared statements: a plan made for small tables ends with it. */
const PREPARED_LIFETIME_SECONDS = 600
/** Silence after which the server is asked whether it is there; ten seconds later it is not. */
const KEEP_ALIVE_AFTER_MS = 10_000
/** One connection in so many is kept for batched reads. */
const CONNECTIONS_PER_GUARD_CONNECTION = 4
/** The oid of `bigint`, which pg gives as text because it could exceed the exact numbers. */
const INT8 = 20

/** Time limits of a database that is not the one of a service that answers calls. */
export type Patience = Readonly<{
  /** For a transaction, or a statement outside of one. */
  answeredWithinMs: number
  connectedWithinMs?: number
  /** Transactions may await other things than their own statements: nobody else uses the database. */
  allowsOtherWaits?: boolean
}>

/**
 * Opens it; nothing is connected before the first query.
 * @param url `postgres://…`, with the usual parameters (`sslmode` among them)
 * @param size how many connections there are at most, the reserve among them
 */
export function openPostgres(
  url: string,
  size: number,
  log: Log,
  { answeredWithinMs, connectedWithinMs = CONNECTED_WITHIN_MS, allowsOtherWaits = false }: Patience = {
    answeredWithinMs: ANSWERED_WITHIN_MS,
  },
): PostgresDatabase {
  const bounds = { answeredWithinMs, connectedWithinMs, allowsOtherWaits }
  const connectionsOf = (max: number, isForGuard = false) => {
    const pool = new Pool({
      connectionString: url,
      max,
      connectionTimeoutMillis: connectedWithinMs,
      idleTimeoutMillis: IDLE_TIMEOUT_MS,
      ...(isForGuard && { maxLifetimeSeconds: PREPARED_LIFETIME_SECONDS }),
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
      application_name: 'paylink-auth',
      onConnect: (client) => meetServer(client, connectedWithinMs, isForGuard),
      types: {
        getTypeParser: ((oid: number, format?: 'text') =>
          oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
      },
    })
    // An idle connection that the server cut: without a listener it would end the process.
    pool.on('error', (err) => log.warn({ err }, 'database connection lost'))
    return pool
  }
  if (size === 1) {
    const pool = connectionsOf(1)
    return new PostgresDatabase([{ name: 'calls', pool }], bounds)
  }
  const forGuard = Math.ceil(size / CONNECTIONS_PER_GUARD_CONNECTION)
  return new PostgresDatabase(
    [
      { name: 'calls', pool: connectionsOf(size - forGuard) },
      { name: 'guard', pool: connectionsOf(forGuard, true) },
    ],
    bounds,
  )
}

async function meetServer(client: ClientBase, answeredWithinMs: number, isForGuard: boolean): Promise<void> {
  const text = `select current_setting('transaction_read_only') as read_only, pg_backend_pid() as pid`
  // Declared for the whole connection only.
  const query = { text, query_timeout: answeredWithinMs } as QueryConfig
  const { rows } = await client.query<{ read_only: string; pid: number }>(query)
  // A standby lags behind: what is revoked on the primary would be accepted.
  if (rows[0]?.read_only !== 'off') throw new StandbyError()
  // Planning a read of the guard takes the server three times as long as making it. pgbouncer, behind which the next
  // statement may be another server's, has numbers of its own for those that it connects.
  if (isForGuard && rows[0].pid === Reflect.get(client, 'processID')) keepPrepared(client)
}
