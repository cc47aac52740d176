import { statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { matchFolderOwner, realPathOf } from '../../lib/process/data-folder.ts'
import { refuseMoved } from '../moved.ts'
import { checkFile } from './file-check.ts'
import { lockExclusively } from './file-lock.ts'
import { refuseUnfitFiles } from './log/orphaned-log.ts'

/**
 * Rewrites the file without free space, and so without anything that was deleted before connections overwrote it
 * (docs/decisions/0048). Killed at any moment, the database is as before or rewritten.
 * @param path an existing database
 * @param onStep called before each step
 * @returns its size in bytes
 * @throws {UnfitFileError} when it is damaged; {OperatorError} when it must not be opened; {@link MovedDatabaseError};
 * SQLite's "busy" while another process has it open
 */
export function vacuum(
  path: string,
  evenThoughMoved: boolean,
  onStep: (step: 'checking' | 'rewriting') => void,
): number {
  const lock = lockExclusively(path)
  try {
    refuseUnfitFiles(path)
    matchFolderOwner(realPathOf(path))
    const file = new DatabaseSync(path, { timeout: 0 })
    try {
      // Against a version without our lock file. The mode must be set before the file is first read.
      file.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON')
      file.exec('BEGIN IMMEDIATE; COMMIT')
      onStep('checking')
      refuseMoved(checkFile(file).isMoved, evenThoughMoved)
      onStep('rewriting')
      // Into the log: a rollback journal would be a second file with the old content.
      file.exec('PRAGMA journal_mode = WAL; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      file.close()
    }
    return statSync(path).size
  } finally {
    lock.release()
  }
}
