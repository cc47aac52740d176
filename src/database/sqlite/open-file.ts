import { DatabaseSync } from 'node:sqlite'
import { matchFolderOwner, realPathOf } from '../../lib/process/data-folder.ts'
import { isSqliteBusy, isSqliteFull } from './errors.ts'
import { releaseSlice } from './log/reserve-file.ts'

/** Timeout for locks of other processes, such as the command line. */
export const LOCK_TIMEOUT_MS = 5000

/** Releases slices of the reserve on a full disk: a command that revokes needs space for the index of the log. */
export function openWithSpace(path: string): DatabaseSync {
  for (;;) {
    try {
      return openFile(path)
    } catch (error) {
      if (!isSqliteFull(error) || !releaseSlice(realPathOf(path))) throw error
    }
  }
}

function openFile(path: string): DatabaseSync {
  const file = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS })
  // Before SQLite creates the log, which gets the owner of the file.
  matchFolderOwner(realPathOf(path))
  useWriteAheadLog(file)
  // FULL: each commit is synced, unless `BackgroundLog` does that. `temp_store`: rollback data of statements stays in
  // memory, because without free descriptors SQLite could not open a file for it. `secure_delete`: what is deleted is
  // overwritten (docs/decisions/0048).
  file.exec(`
    PRAGMA synchronous = FULL;
    PRAGMA secure_delete = ON;
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    PRAGMA temp_store = MEMORY;
    PRAGMA busy_timeout = 0;
  `)
  requireWritable(file)
  return file
}

// Detects an unwritable file at start. A file that another process is writing is writable.
function requireWritable(file: DatabaseSync): void {
  try {
    file.exec('BEGIN IMMEDIATE; ROLLBACK')
  } catch (error) {
    if (!isSqliteBusy(error)) throw error
  }
}

// When several processes open a new file at once, SQLite fails all but one here without waiting for its lock.
function useWriteAheadLog(file: DatabaseSync): void {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return file.exec('PRAGMA journal_mode = WAL')
    } catch (error) {
      if (!isSqliteBusy(error) || attempt === 10) throw error
      // This waits for the lock, up to the timeout.
      file.exec('BEGIN IMMEDIATE; ROLLBACK')
    }
  }
}
