import { statSync } from 'node:fs'
import { UnfitFileError } from '../src/database/sqlite/file-check.ts'
import { vacuum } from '../src/database/sqlite/vacuum.ts'
import { refuseOrphanedLog } from '../src/database/sqlite/orphaned-log.ts'
import { OperatorError } from '../src/lib/operator-error.ts'
import { writeJson, writeLine } from '../src/lib/terminal.ts'
import { say } from './command.ts'
import { isEvenThoughMoved, readSettings } from './settings.ts'

export type VacuumOptions = Readonly<{ json?: boolean }>

const SQLITE_BUSY = 5
const SQLITE_FULL = 13

/** @throws {OperatorError} when nothing was changed */
export async function vacuumFile({ json }: VacuumOptions): Promise<void> {
  const { database } = readSettings()
  if (database.kind === 'postgres')
    throw new OperatorError('PostgreSQL frees the space of deleted rows by itself (docs/retention.md).')
  const { path } = database
  refuseOrphanedLog(path)
  const there = statSync(path, { throwIfNoEntry: false })
  if (!there?.isFile()) throw new OperatorError(`No database found at ${path}. Check DATA_DIR and DATABASE_URL.`)
  const words = { checking: 'checking the database', rewriting: 'rewriting it' }
  try {
    const bytes = vacuum(path, isEvenThoughMoved(), (step) => say(words[step]))
    if (json) return writeJson({ file: path, bytesBefore: there.size, bytes })
    writeLine(`${path}: ${megabytes(there.size)} before, ${megabytes(bytes)} now. Nothing deleted is left in it.`)
  } catch (error) {
    const { errcode } = error as { errcode?: number }
    if (error instanceof UnfitFileError) throw new OperatorError(`Nothing was changed. ${path}: ${error.message}.`)
    if (errcode === SQLITE_BUSY)
      throw new OperatorError(`Nothing was changed: a service or another command has ${path} open. Stop it first.`)
    if (errcode === SQLITE_FULL)
      throw new OperatorError(
        `Nothing was changed: the disk is full. Free as much space as the database takes, next to ${path} and in the folder for temporary files (SQLITE_TMPDIR, by default /var/tmp).`,
      )
    throw error
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
