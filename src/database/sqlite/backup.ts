/** Writes a whole copy of the embedded database into a file, while others read and write it. */
import { closeSync, existsSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { flush, hasNoLinks } from '../../lib/data-folder.ts'
import { shareFile } from './file-lock.ts'
import { checkFile } from './file-check.ts'

/**
 * Copies everything that was committed when it began. The file appears under its name once it is whole, checked
 * and on disk; until then it is `FILE.part`.
 * @param path an existing database
 * @param file must not be there
 * @param onStep is told what comes next
 * @returns its size in bytes
 * @throws {UnfitFileError} where the copy, and so the database, is damaged; the platform's error, EEXIST among
 * them, where the file cannot be written
 */
export function backUp(path: string, file: string, onStep: (step: 'copying' | 'checking') => void): number {
  if (statSync(file, { throwIfNoEntry: false }) !== undefined) throw alreadyThere(file)
  const part = `${file}.part`
  // Nobody else's to read, and nobody else's work: of two backups into one file the second ends here.
  closeSync(openSync(part, 'wx', 0o600))
  try {
    onStep('copying')
    const lock = shareFile(path)
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
    try {
      checkFile(copy)
    } finally {
      copy.close()
    }
    flush(part)
    rename(part, file)
    flush(dirname(file))
    return statSync(file).size
  } finally {
    rmSync(part, { force: true })
  }
}

// A file that came there meanwhile must not be lost.
function rename(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (!hasNoLinks(error)) throw error
    if (existsSync(to)) throw alreadyThere(to)
    renameSync(from, to)
  }
}

function alreadyThere(path: string): Error {
  return Object.assign(new Error(`EEXIST: ${path}`), { code: 'EEXIST', path })
}
