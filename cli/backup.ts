/** `paylink-auth backup FILE`: a whole copy of the embedded database, also while the service runs. */
import { statSync } from 'node:fs'
import { backUp } from '../src/database/sqlite/backup.ts'
import { UnfitFileError } from '../src/database/sqlite/file-check.ts'
import { writeJson, writeLine } from '../src/lib/terminal.ts'
import { readConfig } from '../src/config/read-config.ts'
import { OperatorError } from '../src/lib/operator-error.ts'
import { say } from './command.ts'

/** What it can be told. */
export type BackupOptions = Readonly<{ json?: boolean }>

/** Writes it. @throws {OperatorError} where there is no copy; nothing is left of what was begun */
export async function backup(file: string, { json }: BackupOptions): Promise<void> {
  const { database } = readConfig()
  if (database.kind === 'postgres') {
    throw new OperatorError(
      'PostgreSQL is backed up by its own tools: pg_dump --format=custom (docs/operations.md, Backup and restore).',
    )
  }
  const { path } = database
  const there = statSync(path, { throwIfNoEntry: false })
  if (!there?.isFile())
    throw new OperatorError(`There is nothing to back up: no file ${path}. Check DATA_DIR and DATABASE_URL.`)
  const words = { copying: `copying ${(there.size / 1e6).toFixed(1)} MB`, checking: 'checking the copy' }
  try {
    const bytes = backUp(path, file, (step) => say(words[step]))
    if (json) writeJson({ file, bytes })
    else
      writeLine(
        `${file}: ${(bytes / 1e6).toFixed(1)} MB, whole and checked. It holds what the service holds: keep it as safe.`,
      )
  } catch (error) {
    if (error instanceof UnfitFileError)
      throw new OperatorError(
        `The database is damaged, and so would be its copy: ${error.message}. Stop the service, put its files away as they are, and restore the last backup.`,
      )
    const { code, errcode } = error as NodeJS.ErrnoException & { errcode?: number }
    if (code === 'EEXIST')
      throw new OperatorError(
        `${file} (or ${file}.part, of a backup that runs or was cut short) is there already, and is left as it is.`,
      )
    if (errcode === SQLITE_FULL) throw new OperatorError(`The disk is full: ${file} is not written.`)
    throw code === 'ERR_SQLITE_ERROR' || code === undefined
      ? error
      : new OperatorError(`${file} cannot be written: ${code}.`)
  }
}

const SQLITE_FULL = 13
