/** What PostgreSQL's errors mean: whether it cannot serve just now, and whether a connection is still good. */
import { DatabaseError } from 'pg'
import { NotSentError } from './gather.ts'

/** A server that takes no writes lags behind the one that does: what it says of a token may be revoked. */
export class StandbyError extends Error {
  constructor() {
    super('the database server takes no writes')
    this.name = 'StandbyError'
  }
}

// Why there was no connection: nobody there, a wrong password or certificate, a standby …
const unconnected = new WeakSet<Error>()
// A caller's connection fails with the same codes: who hangs up in the middle of a body is no missing database.
const ofConnection = new WeakSet<Error>()

/** Remembers that a connection could not be had, and why. */
export function markUnconnected(error: Error): void {
  unconnected.add(error)
}

/** Remembers that an error ended a connection to the database. */
export function markOfConnection(error: Error): void {
  ofConnection.add(error)
}

/** Whether an error says that PostgreSQL could not serve just now. */
export function isPostgresUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (unconnected.has(error) || error instanceof StandbyError || error instanceof NotSentError) return true
  if (error instanceof DatabaseError) return UNAVAILABLE_STATE.test(error.code ?? '')
  const { code = '' } = error as NodeJS.ErrnoException
  return ofConnection.has(error) && (CONNECTION_CODES.has(code) || CONNECTION_MESSAGES.test(error.message))
}

/**
 * Whether a connection is as it was before. A server's word about a statement leaves it so. Anything else (no
 * answer in time, a cut, a server that shuts down) does not, and a server that has become a standby must not be
 * asked who is revoked.
 */
export function leavesConnection(error: unknown): boolean {
  return error instanceof DatabaseError && !LOST_STATE.test(error.code ?? '')
}

/** Whether an error may say that a server does not have a statement as it was prepared: not any more, or for another schema. */
export function isOfPrepared(error: unknown): boolean {
  return error instanceof DatabaseError && PREPARED_STATE.test(error.code ?? '')
}

/** pg's word for an answer that did not come in time. */
export const TIMED_OUT = 'Query read timeout'

// Connection exceptions, insufficient resources, a server that ends its connections, system errors, a write on a
// server that only reads, and a transaction that was idle or took too long (PostgreSQL, appendix A). By the code:
// the severity comes in the server's language.
const LOST_STATE = /^(08|53|57P|58|XX)|^(25006|25P03|25P04)$/
// Connection exceptions, wrong credentials, insufficient resources, operator intervention, system errors, a
// transaction that took too long, and what was retried as often as it may be (PostgreSQL, appendix A).
const UNAVAILABLE_STATE = /^(08|28|53|57|58|XX)|^(25006|25P03|3D000|40001|40P01|55P03)$/
// No such name, the name is taken, and "cached plan must not change result type".
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
// pg has no codes for these.
const CONNECTION_MESSAGES =
  /^(Connection terminated|timeout e|Query read timeout|Client has encountered a connection error|Client was closed|The server does not support SSL)/
