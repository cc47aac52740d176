import { isSqliteBusy, isSqliteFull } from '../../src/database/sqlite/errors.ts'
import { UnfitFileError } from '../../src/database/sqlite/file-check.ts'
import { vacuum } from '../../src/database/sqlite/vacuum.ts'
import { OperatorError } from '../../src/lib/process/operator-error.ts'
import { writeJson, writeLine } from '../../src/lib/text/terminal.ts'
import { say } from '../command.ts'
import { requireDatabaseFile } from '../database-file.ts'
import { formatMegabytes } from '../output.ts'
import { isEvenThoughMoved, readSettings } from './settings.ts'

export type VacuumOptions = Readonly<{ json?: boolean }>

/** @throws {OperatorError} when nothing was changed */
export async function vacuumFile({ json }: VacuumOptions): Promise<void> {
  const { database } = readSettings()
  if (database.kind === 'postgres')
    throw new OperatorError('PostgreSQL frees the space of deleted rows by itself (docs/retention.md).')
  const { path } = database
  const bytesBefore = requireDatabaseFile(path).size
  const words = { checking: 'checking the database', rewriting: 'rewriting it' }
  try {
    const bytes = vacuum(path, isEvenThoughMoved(), (step) => say(words[step]))
    if (json) return writeJson({ file: path, bytesBefore, bytes })
    writeLine(
      `${path}: ${formatMegabytes(bytesBefore)} before, ${formatMegabytes(bytes)} now. Nothing deleted is left in it.`,
    )
  } catch (error) {
    if (error instanceof UnfitFileError) throw new OperatorError(`Nothing was changed. ${path}: ${error.message}.`)
    if (isSqliteBusy(error))
      throw new OperatorError(`Nothing was changed: a service or another command has ${path} open. Stop it first.`)
    if (isSqliteFull(error))
      throw new OperatorError(
        `Nothing was changed: the disk is full. Free as much space as the database takes, next to ${path} and in the folder for temporary files (SQLITE_TMPDIR, by default /var/tmp).`,
      )
    throw error
  }
}
