import { statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { OperatorError } from '../src/lib/operator-error.ts'

/**
 * Call it before SQLite opens the file, which would create a missing one.
 * @param settings that may name another file
 * @throws {OperatorError} when there is no file
 */
export function requireDatabaseFile(path: string, settings = 'DATA_DIR and DATABASE_URL'): Stats {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found?.isFile()) throw new OperatorError(`No database found at ${path}. Check ${settings}.`)
  return found
}
