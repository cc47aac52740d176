import { statSync } from 'node:fs'
import type { Stats } from 'node:fs'
import { refuseUnfitFiles } from '../src/database/sqlite/log/orphaned-log.ts'
import { OperatorError } from '../src/lib/process/operator-error.ts'

/**
 * Call it before SQLite opens the file, which would create a missing one.
 * @param settings that may name another file
 * @throws {OperatorError} when there is no file, or nothing in it
 */
export function requireDatabaseFile(path: string, settings = 'DATA_DIR and DATABASE_URL'): Stats {
  const found = statSync(path, { throwIfNoEntry: false })
  // The log of a file with content is checked by the code that opens the file, under a lock.
  if (!found || found.size === 0) refuseUnfitFiles(path)
  if (!found?.isFile()) throw new OperatorError(`No database found at ${path}. Check ${settings}.`)
  if (found.size === 0)
    throw new OperatorError(`The database file ${path} is empty. Restore a backup, or check ${settings}.`)
  return found
}
