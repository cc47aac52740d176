/** Classifies PostgreSQL errors: is the database unavailable, and is the connection still usable? */
import { DatabaseError } from 'pg'
import { NotSentError } from '../gather.ts'

/** A read-only server may lag behind the primary, and report revoked tokens as valid. */
export class StandbyError extends Error {
  constructor() {
    super('the database server is read-only')
    this.name = 'StandbyError'
  }
}

// Errors from connecting: server down, wrong password or certificate, standby.
const unconnected = new WeakSet<Error>()
// HTTP connections fail with the same codes: a client that disconnects does not mean that the database is down.
const ofConnection = new WeakSet<Error>()

export function markConnectFailed(error: Error): void {
  unconnected.add(error)
}

export function markConnectionLost(error: Error): void {
  ofConnection.add(error)
}

export function isPostgresUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (unconnected.has(error) || error instanceof StandbyError || error instanceof NotSentError) return true
  if (error instanceof DatabaseError) return UNAVAILABLE_STATE.test(error.code ?? '')
  const { code = '' } = error as NodeJS.ErrnoException
  return ofConnection.has(error) && (CONNECTION_CODES.has(code) || CONNECTION_MESSAGES.test(error.message))
}

/** Whether the server's disk is full. One that has no space for its own log stops instead. */
export const isPostgresFull = (error: unknown): boolean => stateOf(error) === '53100'

/** Whether the last retry met a lock or a conflict. */
export const isPostgresLocked = (error: unknown): boolean => LOCKED_STATE.test(stateOf(error))

const stateOf = (error: unknown): string => (error instanceof DatabaseError && error.code) || ''

/**
 * Whether the connection is still usable after an error. An error reply to a statement leaves it usable. A timeout, a
 * cut or a shutdown does not, and a server that became a standby must not be asked about revocations.
 */
export function keepsConnectionUsable(error: unknown): boolean {
  return error instanceof DatabaseError && !LOST_STATE.test(error.code ?? '')
}

/** Whether the server may have lost a prepared statement, or holds it for another schema. */
export function isPreparedStatementError(error: unknown): boolean {
  return error instanceof DatabaseError && PREPARED_STATE.test(error.code ?? '')
}

export const TIMED_OUT = 'Query read timeout'

// Connection exceptions, insufficient resources, shutdown, system errors, a write on a read-only server, and
// transactions that were idle or took too long (PostgreSQL, appendix A). By code, because the severity is localised. A
// full disk (53100) fails one statement.
const LOST_STATE = /^(08|53(?!100)|57P|58|XX)|^(25006|25P03|25P04)$/
// Connection exceptions, wrong credentials, insufficient resources, operator intervention, system errors, transactions
// that took too long, and conflicts after the last retry (PostgreSQL, appendix A).
const UNAVAILABLE_STATE = /^(08|28|53|57|58|XX)|^(25006|25P03|3D000|40001|40P01|55P03)$/
const LOCKED_STATE = /^(40001|40P01|55P03)$/
// Unknown statement name, duplicate name, and "cached plan must not change result type".
const PREPARED_STATE = /^(26000|42P05|0A000)$/
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
])
// pg sets no code on these.
const CONNECTION_MESSAGES =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered a connection error|Client was closed|The server does not support SSL)/
