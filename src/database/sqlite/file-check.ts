import { DatabaseSync } from 'node:sqlite'
import { compareSchema } from '../migrate.ts'

/** The message says what is wrong with the file. */
export class UnfitFileError extends Error {}

export type FileSchema = ReturnType<typeof compareSchema>

/**
 * Reads the whole file.
 * @throws {UnfitFileError} when it is damaged, or not a database of this service
 */
export function checkFile(file: DatabaseSync): FileSchema {
  try {
    return check(file)
  } catch (error) {
    throw isUnreadable(error) ? new UnfitFileError(`it cannot be read (${(error as Error).message})`) : error
  }
}

/** Whether a file is damaged or not a database (sqlite.org/rescode.html: IOERR, CORRUPT, NOTADB). */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof UnfitFileError) return true
  return [10, 11, 26].includes(Number((error as { errcode?: number }).errcode) & 0xff)
}

function check(file: DatabaseSync): FileSchema {
  const [found] = file.prepare('PRAGMA integrity_check(1)').all()
  if (found?.['integrity_check'] !== 'ok')
    throw new UnfitFileError(`it is damaged (${String(found?.['integrity_check'])})`)
  if (file.prepare('PRAGMA foreign_key_check').all().length > 0) {
    throw new UnfitFileError('it is damaged (rows refer to rows that do not exist)')
  }
  const ours = file.prepare("select name from sqlite_schema where type = 'table' and name = 'kysely_migration'").get()
  if (ours === undefined) throw new UnfitFileError('it is not a database of this service')
  const applied = file.prepare('select name from kysely_migration').all()
  return compareSchema(applied.map(({ name }) => String(name)))
}
