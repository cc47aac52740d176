/** Writes a consistent copy of the embedded database while it is in use. */
import { closeSync, linkSync, lstatSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { flush, lacksHardLinks } from '../../lib/process/data-folder.ts'
import { lockShared } from './file-lock.ts'
import { checkFile } from './file-check.ts'

/**
 * Copies everything committed before the start. The copy is `FILE.part` until it is complete, checked and synced.
 * @param path an existing database
 * @param file must not exist
 * @param onStep called before each step
 * @returns the copy's size, and whether `copy-to-postgres` has copied the database
 * @throws {UnfitFileError} when the copy, and so the database, is damaged
 * @throws the platform's error, for example EEXIST, when the file cannot be written
 */
export function backUp(
  path: string,
  file: string,
  onStep: (step: 'copying' | 'checking') => void,
): Readonly<{ bytes: number; isMoved: boolean }> {
  if (isThere(file)) throw alreadyThere(file)
  const part = `${file}.part`
  // Mode 0600 keeps others from reading it; `wx` fails the second of two backups into one file.
  closeSync(openSync(part, 'wx', 0o600))
  try {
    onStep('copying')
    const lock = lockShared(path)
    const source = new DatabaseSync(path, { timeout: 5000 })
    try {
      source.exec('PRAGMA trusted_schema = OFF')
      source.prepare('VACUUM INTO ?').run(part)
    } finally {
      source.close()
      lock.release()
    }
    onStep('checking')
    const copy = new DatabaseSync(part, { readOnly: true })
    let isMoved
    try {
      isMoved = checkFile(copy).isMoved
    } finally {
      copy.close()
    }
    flush(part)
    rename(part, file)
    flush(dirname(file))
    return { bytes: statSync(file).size, isMoved }
  } finally {
    // SQLite leaves its journal when the disk is full.
    for (const left of [part, `${part}-journal`]) rmSync(left, { force: true })
  }
}

// Must not overwrite a file created meanwhile.
function rename(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    // The error of a link names `from`.
    if (isThere(to)) throw alreadyThere(to)
    if (!lacksHardLinks(error)) throw error
    renameSync(from, to)
  }
}

// A dangling link too: `link` finds it in its way, and `rename` would replace it.
const isThere = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

function alreadyThere(path: string): Error {
  return Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST', path })
}
