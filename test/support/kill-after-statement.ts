/**
 * Loaded into a service's process before it starts (`--import`): ends it as kill -9 does, right after
 * the n-th statement within transactions (BEGIN and COMMIT count) since SIGUSR2 came; n is KILL_AFTER.
 */
import { DatabaseSync, StatementSync } from 'node:sqlite'

const killAfter = Number(process.env['KILL_AFTER'])
let isArmed = false
let isInTransaction = false
let done = 0

process.on('SIGUSR2', () => {
  isArmed = true
  process.stderr.write('armed\n')
})

function note(sql: string): void {
  const isEnd = /^\s*(commit|rollback)/i.test(sql)
  if (/^\s*begin/i.test(sql)) isInTransaction = true
  if (isArmed && isInTransaction && ++done === killAfter) process.kill(process.pid, 'SIGKILL')
  if (isEnd) isInTransaction = false
}

type Method = (this: unknown, ...values: unknown[]) => unknown

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
