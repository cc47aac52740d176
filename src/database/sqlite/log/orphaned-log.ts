import { existsSync, statSync } from 'node:fs'
import { EXIT_CONFIG, OperatorError } from '../../../lib/process/operator-error.ts'
import { realPathOf } from '../../../lib/process/data-folder.ts'
import { isCutLog } from './cut-log.ts'

/** Whether the file is missing or empty, and its write-ahead log is not: opened, SQLite would delete the log. */
export function hasOrphanedLog(path: string): boolean {
  const file = realPathOf(path)
  // Data reaches the log only after the first page is in the file: a new database never looks like this.
  return sizeOf(file) === 0 && sizeOf(`${file}-wal`) > 0
}

/** Whether the file and its log are both missing or empty. */
export const hasNoData = (path: string): boolean => [path, `${path}-wal`].every((name) => sizeOf(name) === 0)

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

/** Where a restore prepares the database before it puts it in place. */
export const unfinishedRestoreOf = (path: string): string => `${path}-restored`

/**
 * Call it before SQLite opens or creates the file.
 * @throws {OperatorError} the service manager must not restart the service: a later start would fail as well
 */
export function refuseUnfitFiles(path: string): void {
  const file = realPathOf(path)
  const unfinished = unfinishedRestoreOf(file)
  if (sizeOf(file) === 0 && existsSync(unfinished)) {
    throw new OperatorError(
      `A restore of ${file} is running or was interrupted, and the file is missing or empty. Wait for it, or run it again. (To begin with a new database, delete ${unfinished}.)`,
      EXIT_CONFIG,
    )
  }
  refuseLogBesideLink(path)
  if (isCutLog(file)) {
    throw new OperatorError(
      `The write-ahead log ${file}-wal lacks changes that are already in ${file}: it was cut or damaged, or the files were copied while a service ran. To apply it could damage the database. Restore a backup. (Or move the log away and run \`paylink-auth doctor --deep\`: if it finds no damage, only the changes that were not in the file yet are lost, revocations too.)`,
      EXIT_CONFIG,
    )
  }
  if (!hasOrphanedLog(path)) return
  throw new OperatorError(
    `A database was at ${file}, and the file is now missing or empty. Its write-ahead log ${file}-wal is still there. Put the file back, or restore a backup. (To begin with a new database, move the log away.)`,
    EXIT_CONFIG,
  )
}

/**
 * Call it also before a restore: a log that is moved afterwards would be applied to the restored database.
 * @throws {OperatorError} when the log of a linked database was left beside the link; SQLite looks for it beside the file
 */
export function refuseLogBesideLink(path: string): void {
  const file = realPathOf(path)
  const log = `${path}-wal`
  if (sizeOf(log) === 0 || realPathOf(log) === `${file}-wal`) return
  throw new OperatorError(
    `${path} is a link to ${file}, and a write-ahead log is beside the link: the file was moved without ${log}. Move the log to ${file}-wal before anything opens the database. (If it is an old one, delete it.)`,
    EXIT_CONFIG,
  )
}
