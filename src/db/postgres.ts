/** PostgreSQL: Kysely over a bounded number of connections, on which no wait is for ever. */
import { CompiledQuery, Kysely, PostgresAdapter, PostgresDialect, PostgresDriver, sql } from 'kysely'
import type { DatabaseConnection, MigrationLockOptions, PostgresDialectConfig, PostgresPool, TransactionSettings } from 'kysely'
import { Pool, types } from 'pg'
import type { ClientBase, QueryConfig } from 'pg'
import type { Log } from '../lib/log.ts'
import type { Db, Tables } from './db.ts'
import { StandbyError } from './postgres-errors.ts'
import { boundedPool, keepPrepared } from './postgres-pool.ts'

// One after the other, with the wait for a turn (`Reserve`), they are less than the two seconds within which a caller
// is told that the database cannot serve.
/** How long a caller waits for a connection, and a connection for the server, in milliseconds. */
const CONNECTED_WITHIN_MS = 700
/** How long everything may take that is done on a connection once it is given, in milliseconds. */
const ANSWERED_WITHIN_MS = 900
/** How long a connection that nobody needs is kept, in milliseconds. */
const IDLE_FOR_MS = 30_000
/** How long a connection on which statements stay prepared is used, in seconds: a plan made for small tables ends with it. */
const KEEPING_FOR_SECONDS = 600
/** After how long a silence the server is asked whether it is there, in milliseconds; ten seconds later it is not. */
const KEEP_ALIVE_AFTER_MS = 10_000
/** Of how many connections one is kept for reads that everybody waits for. */
const CONNECTIONS_A_RESERVED_ONE = 4
/** How long a change of the schema waits for a table, and everybody else behind it, in milliseconds. */
const SCHEMA_LOCKED_WITHIN_MS = 300
/** The oid of `bigint`, which pg gives as text because it could be larger than a number is exact. */
const INT8 = 20

/** How a database is used that is not the one of a service that answers calls. */
export type Patience = Readonly<{
  /** How long a transaction, or a statement outside of one, may take; in milliseconds. */
  answeredWithinMs: number
  /** How long is waited for a connection; in milliseconds. */
  connectedWithinMs?: number
}>

/** What is kept free of a database's connections, so that nobody's writes can take them all. */
export type Reserve = Readonly<{
  /**
   * The same database, for short reads that everybody waits for: the guard's, and whether it is there. Their texts
   * are few, and they are in no transaction: each stays prepared.
   */
  db: Db
  /** How many connections those reads have. */
  connections: number
  /** How long such a read waits for one of them, in milliseconds. */
  connectedWithinMs: number
  /** How long a write waits for others of the same user before it asks for a connection, in milliseconds. */
  turnWithinMs: number
}>

const reserves = new WeakMap<Db, Reserve>()

/** What is kept free of this database's connections; `undefined`: it has no connections, or just one, or is a part of one. */
export const reserveOf = (db: Db): Reserve | undefined => reserves.get(db)

/** The connections of one of this process's pools. */
export type Connections = Readonly<{ pool: 'calls' | 'guard'; inUse: number; idle: number; waiting: number; most: number }>

const pools = new WeakMap<Db, readonly Readonly<{ name: Connections['pool']; pool: Pool }>[]>()

/** The connections to this database, by what they are for; none: it has no connections. */
export const connectionsTo = (db: Db): Connections[] =>
  (pools.get(db) ?? []).map(({ name, pool: { totalCount, idleCount, waitingCount, options } }) => ({
    pool: name,
    inUse: totalCount - idleCount,
    idle: idleCount,
    waiting: waitingCount,
    most: options.max,
  }))

/**
 * Opens it; nothing is connected before the first query.
 * @param url `postgres://…`, with the usual parameters (`sslmode` among them)
 * @param size how many connections there are at most, the reserve among them
 */
export function openPostgres(
  url: string,
  size: number,
  log: Log,
  { answeredWithinMs, connectedWithinMs = CONNECTED_WITHIN_MS }: Patience = { answeredWithinMs: ANSWERED_WITHIN_MS },
): Db {
  const connectionsOf = (max: number, isForGuard = false) => {
    const pool = new Pool({
      connectionString: url,
      max,
      connectionTimeoutMillis: connectedWithinMs,
      idleTimeoutMillis: IDLE_FOR_MS,
      ...(isForGuard && { maxLifetimeSeconds: KEEPING_FOR_SECONDS }),
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
  const open = (pool: PostgresPool) => new Kysely<Tables>({ dialect: new BoundedDialect({ pool }, answeredWithinMs) })

  if (size === 1) return open(boundedPool(connectionsOf(1), answeredWithinMs))
  const connections = Math.ceil(size / CONNECTIONS_A_RESERVED_ONE)
  const [forCalls, forGuard] = [connectionsOf(size - connections), connectionsOf(connections, true)]
  const reserved = boundedPool(forGuard, answeredWithinMs)
  const db = open(boundedPool(forCalls, answeredWithinMs, () => reserved.end()))
  pools.set(db, [{ name: 'calls', pool: forCalls }, { name: 'guard', pool: forGuard }])
  const turnWithinMs = Math.floor(connectedWithinMs * 0.4)
  reserves.set(db, { db: open(reserved), connections, connectedWithinMs, turnWithinMs })
  return db
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

class BoundedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #begin: CompiledQuery

  constructor(config: PostgresDialectConfig, answeredWithinMs: number) {
    super(config)
    this.#config = config
    this.#begin = beginBounded(answeredWithinMs)
  }

  override createDriver() {
    return new BoundedDriver(this.#config, this.#begin)
  }

  override createAdapter() {
    return new TransactionLockAdapter()
  }
}

// The server's own bounds, in the same round trip. They are the transaction's: a pooler of transactions passes no
// others on. Of a process that stands still, or is cut off, they end the transaction that would keep rows locked.
function beginBounded(answeredWithinMs: number): CompiledQuery {
  return CompiledQuery.raw(
    `begin; set local statement_timeout = ${Math.floor(answeredWithinMs * 0.9)}; ` +
      // Half of it and less: whoever waits in a circle gives up, and has time to do it again (`inTransaction`).
      `set local lock_timeout = ${Math.floor(answeredWithinMs * 0.4)}; ` +
      `set local idle_in_transaction_session_timeout = ${answeredWithinMs * 2}`,
  )
}

class BoundedDriver extends PostgresDriver {
  readonly #begin: CompiledQuery

  constructor(config: PostgresDialectConfig, begin: CompiledQuery) {
    super(config)
    this.#begin = begin
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined) {
      return super.beginTransaction(connection, settings)
    }
    await connection.executeQuery(this.#begin)
  }
}

// Kysely's own lock is a session's: a pooler of transactions would leave it with a connection that others use next,
// and every later migration would wait for it. This one ends with the transaction that `migrate` runs in.
class TransactionLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(db: Kysely<Record<string, { id: string }>>, { lockTable, lockRowId }: MigrationLockOptions) {
    await db.selectFrom(lockTable).select('id').where('id', '=', lockRowId).forUpdate().execute()
    // Whoever migrates may take long. But behind a change that waits for a table all others wait who only read it.
    await sql`select set_config('lock_timeout', ${String(SCHEMA_LOCKED_WITHIN_MS)}, true)`.execute(db)
  }

  override async releaseMigrationLock() {}
}
