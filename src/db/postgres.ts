/** PostgreSQL: Kysely over a bounded pool of connections, on which no wait is for ever. */
import { Kysely, PostgresDialect } from 'kysely'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Log } from '../lib/log.ts'
import type { Db, Tables } from './db.ts'

/** How long a caller waits for a connection, and a connection for the server, in milliseconds. */
const CONNECTED_WITHIN_MS = 1500
/** How long one statement may take, in milliseconds. */
const ANSWERED_WITHIN_MS = 2000
/** How long a connection that nobody needs is kept, in milliseconds. */
const IDLE_FOR_MS = 30_000
/** The oid of `bigint`, which pg gives as text because it could be larger than a number is exact. */
const INT8 = 20

/**
 * Opens a pool; nothing is connected before the first query.
 * @param url `postgres://…`, with the usual parameters (`sslmode` among them)
 * @param size how many connections there are at most
 */
export function openPostgres(url: string, size: number, log: Log): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECTED_WITHIN_MS,
    query_timeout: ANSWERED_WITHIN_MS,
    idleTimeoutMillis: IDLE_FOR_MS,
    keepAlive: true,
    application_name: 'paylink-auth',
    types: {
      getTypeParser: ((oid: number, format?: 'text') =>
        oid === INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  })
  // An idle connection that the server cut: without a listener it would end the process.
  pool.on('error', (err) => log.warn({ err }, 'database connection lost'))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool: withoutBroken(pool) }) })
}

/** The pool, of which a connection goes for good whose state is not known any more. */
function withoutBroken(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      let broken: Error | undefined
      const wrapped = {
        async query(sql: string, parameters: unknown[]) {
          try {
            return await client.query(sql, parameters)
          } catch (error) {
            // A server's word about a statement leaves the connection as it was. Anything else (no answer
            // in time, a cut) leaves the last statement under way, and what comes next would wait behind it.
            if (!(error instanceof pg.DatabaseError)) broken = error as Error
            throw error
          }
        },
        release: () => client.release(broken),
      }
      return wrapped as unknown as PostgresPoolClient
    },
  }
}

/** Whether an error says that PostgreSQL could not serve just now. */
export function isPostgresUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_STATE.test(error.code ?? '')
  const { code = '' } = error as NodeJS.ErrnoException
  return CONNECTION_CODES.has(code) || CONNECTION_MESSAGES.test(error.message)
}

// Connection exceptions, insufficient resources, operator intervention, system errors, read-only after a
// failover, and what was retried as often as it may be (PostgreSQL, appendix A).
const UNAVAILABLE_STATE = /^(08|53|57|58|XX)|^(25006|40001|40P01|55P03)$/
const CONNECTION_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'])
// pg has no codes for these.
const CONNECTION_MESSAGES = /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|The server does not support SSL)/
