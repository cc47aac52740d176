import { backUp } from '../../src/database/sqlite/backup.ts'
import { isSqliteFull } from '../../src/database/sqlite/errors.ts'
import { UnfitFileError } from '../../src/database/sqlite/file-check.ts'
import { writeJson, writeLine } from '../../src/lib/text/terminal.ts'
import { OperatorError } from '../../src/lib/process/operator-error.ts'
import { say } from '../command.ts'
import { requireDatabaseFile } from '../database-file.ts'
import { formatMegabytes } from '../output.ts'
import { checkMoved, readSettings } from './settings.ts'

export type BackupOptions = Readonly<{ json?: boolean }>

/** @throws {OperatorError} when no copy was written; partial files are removed */
export async function backup(file: string, { json }: BackupOptions): Promise<void> {
  const { database } = readSettings()
  if (database.kind === 'postgres') {
    throw new OperatorError(
      'Back up PostgreSQL with its own tools: pg_dump --format=custom (docs/operations.md, Backup and restore).',
    )
  }
  const { path } = database
  const { size } = requireDatabaseFile(path)
  const words = { copying: `copying ${formatMegabytes(size)}`, checking: 'checking the copy' }
  try {
    const { bytes, isMoved } = backUp(path, file, (step) => say(words[step]))
    checkMoved(isMoved)
    if (json) writeJson({ file, bytes })
    else
      writeLine(
        `${file}: ${formatMegabytes(bytes)}, complete and checked. It contains all data of the service: protect it equally.`,
      )
  } catch (error) {
    if (error instanceof UnfitFileError)
      throw new OperatorError(
        `The database is damaged: ${error.message}. No backup was written. Stop the service, keep the damaged files, and restore the last backup.`,
      )
    const { code, path: existing } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') {
      const isPart = existing === `${file}.part`
      const cause = isPart ? ' from a backup that runs or was interrupted. If none runs, delete it' : ''
      throw new OperatorError(`${existing} already exists${cause}. Nothing was overwritten.`)
    }
    if (isSqliteFull(error)) throw new OperatorError(`The disk is full: ${file} was not written.`)
    throw code === 'ERR_SQLITE_ERROR' || code === undefined
      ? error
      : new OperatorError(`${file} cannot be written: ${code}.`)
  }
}
