/** PostgreSQL: Kysely over a bounded pool of connections, on which no wait is for ever. */
import { CompiledQuery, Kysely, PostgresAdapter, PostgresDialect, PostgresDriver } from 'kysely'
import type { DatabaseConnection, MigrationLockOptions, PostgresDialectConfig, PostgresPool, PostgresPoolClient, TransactionSettings } from 'kysely'
import { DatabaseError, Pool, types } from 'pg'
import type { ClientBase, PoolClient } from 'pg'
import { sleep } from '../lib/clock.ts'
import type { Log } from '../lib/log.ts'
import type { Db, Tables } from './db.ts'

/** How long a caller waits for a connection, and a connection for the server, in milliseconds. */
const CONNECTED_WITHIN_MS = 800
/** How long everything may take that is done on a connection once it is given, in milliseconds. */
const ANSWERED_WITHIN_MS = 1000
/** How long a connection that nobody needs is kept, in milliseconds. */
const IDLE_FOR_MS = 30_000
/** How long the servers' good-byes are waited for at the end, in milliseconds. */
const ENDED_WITHIN_MS = 1000
/** The oid of `bigint`, which pg gives as text because it could be larger than a number is exact. */
const INT8 = 20

/** How a database is used that is not the one of a service that answers calls. */
export type Patience = Readonly<{
  /** How long a transaction, or a statement outside of one, may take; in milliseconds. */
  answeredWithinMs: number
  /** How long is waited for a connection; in milliseconds. */
  connectedWithinMs?: number
}>

/**
 * Opens a pool; nothing is connected before the first query.
 * @param url `postgres://…`, with the usual parameters (`sslmode` among them)
 * @param size how many connections there are at most
 */
export function openPostgres(
  url: string,
  size: number,
  log: Log,
  { answeredWithinMs, connectedWithinMs = CONNECTED_WITHIN_MS }: Patience = { answeredWithinMs: ANSWERED_WITHIN_MS },
): Db {
  const pool = new Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: connectedWithinMs,
    query_timeout: answeredWithinMs,
    idleTimeoutMillis: IDLE_FOR_MS,
    keepAlive: true,
    application_name: 'paylink-auth',
    onConnect: refuseReadOnly,
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === INT8 ? Number : types.getTypeParser(oid, format)) as typeof types.getTypeParser,
    },
  })
  // An idle connection that the server cut: without a listener it would end the process.
  pool.on('error', (err) => log.warn({ err }, 'database connection lost'))
  return new Kysely<Tables>({ dialect: new BoundedDialect({ pool: withoutBroken(pool) }, answeredWithinMs) })
}

/** The pool, of which a connection goes for good whose state is not known any more. */
function withoutBroken(pool: Pool): PostgresPool {
  return {
    options: pool.options,
    // A server that has stopped says no good-bye, and the process is to end all the same.
    end: () => Promise.race([pool.end(), sleep(ENDED_WITHIN_MS, new AbortController().signal)]),
    async connect() {
      const client = await connectTo(pool)
      let broken: Error | undefined
      // The pool listens to idle connections only: one that is cut between two statements of a transaction
      // would end the process.
      const note = (error: Error) => {
        ofConnection.add(error)
        broken ??= error
      }
      client.on('error', note)
      const wrapped = {
        processID: Reflect.get(client, 'processID'),
        async query(sql: string, parameters: unknown[]) {
          // Behind a statement that was given up (the rollback after it, say) nothing more would come in time.
          if (broken !== undefined) throw broken
          try {
            return await client.query(sql, parameters)
          } catch (error) {
            if (!leavesConnection(error)) note(error as Error)
            throw error
          }
        },
        release(isDiscarded?: boolean) {
          client.release(broken ?? isDiscarded)
          client.off('error', note)
        },
      }
      return wrapped as unknown as PostgresPoolClient
    },
  }
}

// A server's word about a statement leaves the connection as it was. Anything else (no answer in time, a cut, a
// server that shuts down) does not, and a server that has become a standby must not be asked who is revoked.
function leavesConnection(error: unknown): boolean {
  return error instanceof DatabaseError && error.severity === 'ERROR' && error.code !== READ_ONLY
}

// A standby lags behind: what is revoked on the primary would be accepted.
async function refuseReadOnly(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('show transaction_read_only')
  if (rows[0]?.transaction_read_only !== 'off') throw new StandbyError()
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
  }

  override async releaseMigrationLock() {}
}

async function connectTo(pool: Pool): Promise<PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    unconnected.add(error as Error)
    throw error
  }
}

/** Why there was no connection: nobody there, a wrong password or certificate, a standby … */
const unconnected = new WeakSet<Error>()

/** A server that takes no writes lags behind the one that does: what it says of a token may be revoked. */
export class StandbyError extends Error {
  constructor() {
    super('the database server takes no writes')
    this.name = 'StandbyError'
  }
}

/** Whether an error says that PostgreSQL could not serve just now. */
export function isPostgresUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (unconnected.has(error) || error instanceof StandbyError) return true
  if (error instanceof DatabaseError) return UNAVAILABLE_STATE.test(error.code ?? '')
  const { code = '' } = error as NodeJS.ErrnoException
  return ofConnection.has(error) && (CONNECTION_CODES.has(code) || CONNECTION_MESSAGES.test(error.message))
}

// A caller's connection fails with the same codes: who hangs up in the middle of a body is no missing database.
const ofConnection = new WeakSet<Error>()

/** A statement that writes, on a server that only reads (PostgreSQL, appendix A). */
const READ_ONLY = '25006'
// Connection exceptions, wrong credentials, insufficient resources, operator intervention, system errors, a
// transaction that took too long, and what was retried as often as it may be (PostgreSQL, appendix A).
const UNAVAILABLE_STATE = /^(08|28|53|57|58|XX)|^(25006|25P03|3D000|40001|40P01|55P03)$/
const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'])
// pg has no codes for these.
const CONNECTION_MESSAGES = /^(Connection terminated|timeout e|Query read timeout|Client has encountered a connection error|Client was closed|The server does not support SSL)/
