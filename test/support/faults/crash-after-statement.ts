/**
 * Loaded into a service's process (`--import`): a crash point right after each statement inside transactions (BEGIN and
 * COMMIT included) since a request to the path KILL_ON arrived.
 */
import { Server } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { crashPoint } from './crash-point.ts'

const path = process.env['KILL_ON'] ?? ''
let isArmed = false
let isInTransaction = false

function note(sql: string): void {
  const isEnd = /^\s*(commit|rollback)/i.test(sql)
  if (/^\s*begin/i.test(sql)) isInTransaction = true
  if (isArmed && isInTransaction) crashPoint()
  if (isEnd) isInTransaction = false
}

type Method = (this: unknown, ...values: unknown[]) => unknown

// Statements of background work, for example at the start, are not counted.
const emit = Reflect.get(Server.prototype, 'emit') as Method
const emitArming: Method = function (...values) {
  const [event, request] = values
  if (event === 'request' && (request as IncomingMessage).url?.includes(path)) isArmed = true
  return emit.apply(this, values)
}
Reflect.set(Server.prototype, 'emit', emitArming)

function wrap(prototype: object, name: string, sqlOf: (self: any, values: readonly unknown[]) => string): void {
  const original = Reflect.get(prototype, name) as Method
  const wrapped: Method = function (...values) {
    const result = original.apply(this, values)
    note(sqlOf(this, values))
    return result
  }
  Reflect.set(prototype, name, wrapped)
}

wrap(DatabaseSync.prototype, 'exec', (_self, [sql]) => String(sql))
for (const name of ['all', 'get', 'run']) {
  wrap(StatementSync.prototype, name, (self: StatementSync) => self.sourceSQL)
}
