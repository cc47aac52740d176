/**
 * Replaces the embedded database by a backup. Killed at any moment, the database's path has either the old file,
 * unchanged, or the restored one, made safe (docs/decisions/0019).
 */
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ensureFolder, flush, lacksHardLinks, matchFolderOwner, realPathOf } from '../lib/process/data-folder.ts'
import { makeSafe } from './make-safe.ts'
import type { MakeSafeCounts, MakeSafeOptions } from './make-safe.ts'
import type { Queries } from '../database/database.ts'
import { openSqlite, SqliteDatabase } from '../database/sqlite/sqlite-database.ts'
import { lockFileOf, lockExclusively } from '../database/sqlite/file-lock.ts'
import { refuseMoved } from '../database/moved.ts'
import { migrate, NewerSchemaError } from '../database/migrate.ts'
import { checkFile, isUnreadable, UnfitFileError } from '../database/sqlite/file-check.ts'
import { isCutLog } from '../database/sqlite/log/cut-log.ts'
import {
  hasNoData,
  hasOrphanedLog,
  refuseLogBesideLink,
  unfinishedRestoreOf,
} from '../database/sqlite/log/orphaned-log.ts'

/** Files beside a database with data that is not in it yet. */
const COMPANIONS = ['-wal', '-shm', '-journal'] as const

export type Restored = MakeSafeCounts &
  Readonly<{
    migrated: readonly string[]
    /** Path of the replaced database; null when there was none. */
    keptAside: string | null
    /** Whether its revocations could be read. */
    isReplacedReadable: boolean
  }>

export type RestoreOptions = MakeSafeOptions &
  Readonly<{
    onStep(step: string): void
    /** Whether the database or the backup may be one that was copied to PostgreSQL. */
    evenThoughMoved?: boolean
  }>

/**
 * Restores a backup. Until the last step it changes only its own files, `PATH-restored`.
 * @param database its path, which need not exist
 * @param file the backup; only read
 * @throws {UnfitFileError} {NewerSchemaError} {MovedDatabaseError} when the backup cannot be used; {OperatorError} for a
 * log beside a link; SQLite's "busy" while a service runs
 */
export async function restoreFile(database: string, file: string, options: RestoreOptions): Promise<Restored> {
  ensureFolder(dirname(database))
  for (const name of [database, file]) refuseLogBesideLink(name)
  const path = realPathOf(database)
  // Its log is beside the file that a link names.
  const backup = realPathOf(file)
  const lock = lockExclusively(path)
  const work = unfinishedRestoreOf(path)
  const wasThere = !hasNoData(path) || existsSync(work)
  try {
    // Left by an interrupted restore.
    removeCompanions(work)
    if (isCutLog(backup)) {
      throw new UnfitFileError('its write-ahead log was cut or damaged, or the files were copied while a service ran')
    }
    options.onStep('copying the backup')
    copyWithCompanions(backup, work)
    options.onStep('checking the backup')
    useFile(work, (copy) => {
      const { unknown, isMoved } = checkFile(copy)
      refuseMoved(isMoved, options.evenThoughMoved)
      if (unknown.length > 0) throw new NewerSchemaError(unknown)
    })
    options.onStep('reading the replaced database')
    const replaced = openReplaced(path, options)
    try {
      const made = await makeWorkSafe(work, replaced?.db, options)
      options.onStep('putting it in place')
      replaced?.close()
      const keptAside = swap(path, work, options.nowMs)
      return { ...made, keptAside, isReplacedReadable: replaced !== undefined }
    } finally {
      replaced?.close()
    }
  } finally {
    removeCompanions(work)
    // When neither file nor log is left, only this tells a start that a database was here.
    if (!hasNoData(path) || !wasThere) rmSync(work, { force: true })
    // A copy that fails removes what it was to replace.
    else if (!existsSync(work)) writeFileSync(work, '', { mode: 0o600 })
    lock.release()
  }
}

async function makeWorkSafe(work: string, replaced: Queries | undefined, options: RestoreOptions) {
  const db = openSqlite(work, { allowsOtherWaits: true })
  try {
    const migrated = await migrate(db)
    options.onStep('taking over revocations')
    const made = await db.transaction((trx) => makeSafe(trx, replaced, options))
    await db.close()
    // Merges the log into the file: only the file is put in place.
    useFile(work, (file) => file.exec('PRAGMA journal_mode = DELETE'))
    return { ...made, migrated }
  } finally {
    await db.close()
  }
}

/** @returns `undefined` when there is none, or it cannot be read */
function openReplaced(path: string, options: RestoreOptions): Readonly<{ db: Queries; close(): void }> | undefined {
  // Opened, the log would be deleted, or damage the file.
  if (!existsSync(path) || hasOrphanedLog(path) || isCutLog(path)) return undefined
  const file = new DatabaseSync(path, { timeout: 0 })
  const db = new SqliteDatabase(file)
  const close = () => {
    if (file.isOpen) file.close()
  }
  try {
    // Against a version without our lock file. The mode must be set before the file is first read.
    file.exec(
      'PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON; BEGIN IMMEDIATE; COMMIT',
    )
    const { missing, isMoved } = checkFile(file)
    refuseMoved(isMoved, options.evenThoughMoved)
    if (missing.length > 0) throw new OlderReplacedError(missing)
    // Merges the log into the file: a log left beside it would be applied to the restored database.
    file.exec('PRAGMA journal_mode = DELETE')
    return { db, close }
  } catch (error) {
    close()
    if (isUnreadable(error)) return undefined
    throw error
  }
}

/** The replaced database must be migrated to this version's schema first; nothing was changed. */
export class OlderReplacedError extends Error {
  constructor(missing: readonly string[]) {
    super(`the replaced database lacks ${missing.join(', ')}: run \`paylink-auth migrate\` first`)
  }
}

/** @returns the path of the replaced database */
function swap(path: string, work: string, nowMs: number): string | null {
  const old = statSync(path, { throwIfNoEntry: false })
  if (old !== undefined && process.getuid?.() === 0) chownSync(work, old.uid, old.gid)
  matchFolderOwner(work)
  flush(work)
  const logs = ['-wal', '-journal'].filter((companion) => existsSync(path + companion))
  let keptAside: string | null = null
  if (old !== undefined || logs.length > 0) {
    keptAside = `${path}-replaced-${new Date(nowMs).toISOString().replaceAll(/[-:.]/g, '')}`
    // Under both names until the last step: without a file at the path, a service would create a new one.
    if (old !== undefined) linkOrCopy(path, keptAside)
    // Except before its log is moved: without that a service would serve an older state. Now `work` refuses a start.
    if (logs.length > 0) rmSync(path, { force: true })
    // A log would be applied to the restored database. It has data only if the old one could not be read; then `-shm`
    // tells whether it was cut.
    if (logs.length === 0) rmSync(`${path}-shm`, { force: true })
    for (const companion of [...logs, '-shm']) {
      if (existsSync(path + companion)) renameSync(path + companion, keptAside + companion)
    }
    flush(dirname(path))
  }
  renameSync(work, path)
  flush(dirname(path))
  return keptAside
}

function linkOrCopy(path: string, to: string): void {
  try {
    linkSync(path, to)
  } catch (error) {
    if (!lacksHardLinks(error)) throw error
    copyFileSync(path, to)
    flush(to)
  }
}

function copyWithCompanions(from: string, to: string): void {
  for (const companion of ['', ...COMPANIONS]) {
    if (companion === '-shm' || !existsSync(from + companion)) continue
    copyFileSync(from + companion, to + companion)
    chmodSync(to + companion, 0o600)
  }
}

function removeCompanions(path: string): void {
  for (const name of [...COMPANIONS.map((companion) => path + companion), lockFileOf(path)])
    rmSync(name, { force: true })
}

function useFile(path: string, work: (file: DatabaseSync) => void): void {
  const file = new DatabaseSync(path)
  try {
    file.exec('PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON')
    work(file)
  } finally {
    file.close()
  }
}
