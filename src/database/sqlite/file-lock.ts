/**
 * Shared and exclusive locks on an embedded database, in a separate lock file. The operating system releases them when
 * a process dies, and they work even when the database file is unreadable.
 */
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { elapsedMs, wait } from '../../lib/clock.ts'
import { ensureFolder, matchFolderOwner, realPathOf } from '../../lib/process/data-folder.ts'
import { OperatorError } from '../../lib/process/operator-error.ts'
import { isSqliteBusy } from './errors.ts'
import { refuseUnfitFiles } from './log/orphaned-log.ts'

export type FileLock = Readonly<{ release(): void }>

/** Timeout for the exclusive lock: other commands may be about to end. */
const EXCLUSIVE_TIMEOUT_MS = 2000
/** Timeout for acquiring a shared lock: longer than an exclusive attempt, which blocks others even when it fails. */
const SHARED_TIMEOUT_MS = 3000

/** How long a service that starts waits for another one to end: longer than a service takes to stop. */
const SERVICE_TIMEOUT_MS = 12_000
const SERVICE_RETRY_MS = 100

/** May be deleted while nobody uses the database. */
export const lockFileOf = (path: string): string => `${realPathOf(path)}-lock`

/**
 * Held for as long as the database is open.
 * @throws SQLite's "busy" while another process holds it exclusively; {OperatorError} when its files must not be opened
 */
export function lockShared(path: string): FileLock {
  const lock = hold(path, SHARED_TIMEOUT_MS, 'BEGIN; SELECT 1 FROM sqlite_schema')
  try {
    // Not before: a restore that is running would look like one that was interrupted.
    refuseUnfitFiles(path)
    return lock
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Keeps all others from opening the database until released.
 * @throws SQLite's "busy" while another process has it open
 */
export const lockExclusively = (path: string): FileLock => hold(path, EXCLUSIVE_TIMEOUT_MS, 'BEGIN EXCLUSIVE')

/**
 * Of several services only one holds it at a time; commands use the database meanwhile.
 * @param onWait called once if another service has the database open
 * @throws {OperatorError} when it still has after some seconds; SQLite's "busy" while a command holds it exclusively
 */
export async function lockForService(path: string, onWait: () => void): Promise<FileLock> {
  ensureFolder(dirname(path))
  const beganMs = elapsedMs()
  for (let attempt = 1; ; attempt += 1) {
    try {
      return hold(path, 0, 'BEGIN IMMEDIATE')
    } catch (error) {
      if (!isSqliteBusy(error)) throw error
    }
    if (elapsedMs() - beganMs > SERVICE_TIMEOUT_MS) {
      lockShared(path).release()
      throw new OperatorError(
        `Another service has ${realPathOf(path)} open, and only one can serve an embedded database. Stop it, or use PostgreSQL to run several.`,
      )
    }
    if (attempt === 1) onWait()
    await wait(SERVICE_RETRY_MS)
  }
}

// SQLite locks on an empty file, through a transaction that never writes. In memory: no journal beside the lock file.
function hold(path: string, timeout: number, begin: string): FileLock {
  const lock = new DatabaseSync(lockFileOf(path), { timeout })
  try {
    matchFolderOwner(lockFileOf(path))
    lock.exec('PRAGMA journal_mode = MEMORY')
    lock.exec(begin)
  } catch (error) {
    lock.close()
    throw error
  }
  return { release: () => lock.close() }
}
