import { DatabaseSync } from 'node:sqlite'
import { compareSchema } from '../migrate.ts'
import { lockShared } from './file-lock.ts'

/** The message says what is wrong with the file. */
export class UnfitFileError extends Error {}

export type FileSchema = ReturnType<typeof compareSchema>

/**
 * Reads the whole file.
 * @throws {UnfitFileError} when it is damaged, or not a database of this service
 */
export const checkFile = (file: DatabaseSync): FileSchema => explained(() => check(file))

/**
 * Checks a database that may be in use.
 * @param isDeep compares indexes with their tables and follows foreign keys; otherwise it checks the structure of pages
 * @throws {UnfitFileError} when it is damaged
 */
export function checkFileInUse(path: string, isDeep: boolean): void {
  const lock = lockShared(path)
  const file = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS })
  try {
    file.exec('PRAGMA trusted_schema = OFF')
    if (isDeep) checkFile(file)
    else explained(() => requireOk(file.prepare('PRAGMA quick_check(1)').get()?.['quick_check']))
  } finally {
    file.close()
    lock.release()
  }
}

const LOCK_TIMEOUT_MS = 5000

function explained<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof UnfitFileError || !isUnreadable(error)) throw error
    throw new UnfitFileError(`it cannot be read (${(error as Error).message})`)
  }
}

function requireOk(said: unknown): void {
  // Its first line is "*** in database main ***".
  if (said !== 'ok') throw new UnfitFileError(`it is damaged (${String(said).split('\n').at(-1)})`)
}

/** Whether a file is damaged or not a database (sqlite.org/rescode.html: IOERR, CORRUPT, NOTADB). */
export function isUnreadable(error: unknown): boolean {
  if (error instanceof UnfitFileError) return true
  return [10, 11, 26].includes(Number((error as { errcode?: number }).errcode) & 0xff)
}

function check(file: DatabaseSync): FileSchema {
  requireOk(file.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check'])
  if (file.prepare('PRAGMA foreign_key_check').all().length > 0) {
    throw new UnfitFileError('it is damaged (rows refer to rows that do not exist)')
  }
  const ours = file.prepare("select name from sqlite_schema where type = 'table' and name = 'kysely_migration'").get()
  if (ours === undefined) throw new UnfitFileError('it is not a database of this service')
  const applied = file.prepare('select name from kysely_migration').all()
  return compareSchema(applied.map(({ name }) => String(name)))
}
