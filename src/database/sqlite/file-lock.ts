/**
 * Who uses an embedded database: any number of processes, or one alone. A lock beside the file, which the
 * operating system drops with its holder, and which says so also where the database itself cannot be read.
 */
import { chownSync, existsSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** A lock that is held. */
export type FileLock = Readonly<{ release(): void }>

/** How long the last command that is about to end is waited for, in milliseconds. */
const ALONE_WITHIN_MS = 2000
/** How long whoever wants it alone is waited for, in milliseconds: longer than that, which in vain keeps others out too. */
const SHARED_WITHIN_MS = 3000

/** The file of the lock; without anybody who uses the database it can be removed. */
export const lockFileOf = (path: string): string => `${realPathOf(path)}-lock`

/** Where the file is that a link leads to: whichever name somebody uses, it is the one database. */
export const realPathOf = (path: string): string => (existsSync(path) ? realpathSync(path) : path)

/**
 * Uses the database together with others. Whoever opens it does, for as long as it is open.
 * @throws SQLite's "busy" while somebody has it alone
 */
export const shareFile = (path: string): FileLock => hold(path, SHARED_WITHIN_MS, 'BEGIN; SELECT 1 FROM sqlite_schema')

/**
 * Keeps everybody else from opening the database, until the lock is released.
 * @throws SQLite's "busy" while somebody has it open
 */
export const takeFileAlone = (path: string): FileLock => hold(path, ALONE_WITHIN_MS, 'BEGIN EXCLUSIVE')

// Locks of SQLite on an empty file: a transaction that never writes.
function hold(path: string, timeout: number, begin: string): FileLock {
  const lock = new DatabaseSync(lockFileOf(path), { timeout })
  try {
    likeItsFolder(lockFileOf(path))
    lock.exec(begin)
  } catch (error) {
    lock.close()
    throw error
  }
  return { release: () => lock.close() }
}

/** Gives a file that root made to whoever has the folder: the service, which is not root, must be able to open it. */
export function likeItsFolder(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  if (uid !== 0) chownSync(path, uid, gid)
}
