/**
 * Loaded into a command's process (`--import`): a crash point right after each step that could leave something half
 * done, which is a change of a file or folder, or the end of a transaction.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { crashPoint } from './crash-point.ts'

type Method = (this: unknown, ...values: unknown[]) => unknown

function wrap(owner: object, name: string, isStep: (self: any, values: readonly unknown[]) => boolean): void {
  const original = Reflect.get(owner, name) as Method
  const wrapped: Method = function (...values) {
    const result = original.apply(this, values)
    if (isStep(this, values)) crashPoint()
    return result
  }
  Reflect.set(owner, name, wrapped)
}

for (const name of ['copyFileSync', 'chmodSync', 'linkSync', 'renameSync', 'rmSync', 'fsyncSync'])
  wrap(fs, name, () => true)
syncBuiltinESMExports()
const ENDS = /^\s*(commit|vacuum|pragma journal_mode)/i
wrap(DatabaseSync.prototype, 'exec', (_self, [sql]) => ENDS.test(String(sql)))
wrap(DatabaseSync.prototype, 'close', () => true)
for (const name of ['all', 'get', 'run']) {
  wrap(StatementSync.prototype, name, (self: StatementSync) => ENDS.test(self.sourceSQL))
}
