/** `paylink-auth restore`: replaces the database with a backup without reviving revoked credentials. */
import { statSync } from 'node:fs'
import { DatabaseError } from 'pg'
import { OlderReplacedError, restoreFile } from '../../src/restore/restore-file.ts'
import type { MakeSafeCounts, MakeSafeOptions } from '../../src/restore/make-safe.ts'
import { InPlaceRefusedError, makeSafeInPlace } from '../../src/restore/restore-in-place.ts'
import { MIGRATION_LIMITS } from '../../src/database/open.ts'
import { isPostgresUnavailable } from '../../src/database/postgres/errors.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { isSqliteBusy, isSqliteFull } from '../../src/database/sqlite/errors.ts'
import { unfinishedRestoreOf } from '../../src/database/sqlite/log/orphaned-log.ts'
import { UnfitFileError } from '../../src/database/sqlite/file-check.ts'
import { DAY_MS, systemClock } from '../../src/lib/clock.ts'
import { createLog } from '../../src/lib/log.ts'
import { realPathOf } from '../../src/lib/process/data-folder.ts'
import { repeat } from '../../src/lib/repeat.ts'
import { database as parseDatabase } from '../../src/config/parsers.ts'
import { writeErrorLine, writeJson } from '../../src/lib/text/terminal.ts'
import type { Config } from '../../src/config/settings.ts'
import { EXIT_USAGE, OperatorError } from '../../src/lib/process/operator-error.ts'
import { confirm, requireConfirmable, say } from '../command.ts'
import { writeFields } from '../output.ts'
import { isEvenThoughMoved, readSettings } from './settings.ts'

const PROGRESS_EVERY_MS = 2000

export type RestoreOptions = Readonly<{
  json?: boolean
  yes?: boolean
  keys?: string
  'in-place'?: boolean
  replaced?: string
}>

/** Restores a file, or completes a `pg_restore`. @throws {OperatorError} when nothing was changed */
export async function restore(file: string | undefined, options: RestoreOptions): Promise<void> {
  const isInPlace = options['in-place'] === true
  if (options.keys !== undefined && options.keys !== 'trust')
    throw new OperatorError('--keys accepts only the value trust.', EXIT_USAGE)
  if ((file === undefined) !== isInPlace)
    throw new OperatorError('Name either the FILE to restore or --in-place.', EXIT_USAGE)
  if (options.replaced !== undefined && !isInPlace)
    throw new OperatorError(
      '--replaced requires --in-place: a FILE always replaces the database of the settings.',
      EXIT_USAGE,
    )
  requireConfirmable(options)
  await (file === undefined ? inPlace(options) : fromFile(file, options))
}

async function fromFile(file: string, options: RestoreOptions): Promise<void> {
  const config = readSettings()
  const { database } = config
  if (database.kind === 'postgres') {
    throw new OperatorError(
      'DATABASE_URL is PostgreSQL: run pg_restore, then restore --in-place (docs/operations.md, Backup and restore).',
      EXIT_USAGE,
    )
  }
  const { path } = database
  const [backup, ...taken] = [file, path, unfinishedRestoreOf(realPathOf(path))].map((name) =>
    statSync(name, { throwIfNoEntry: false }),
  )
  if (!backup?.isFile()) throw new OperatorError(`File not found: ${file}.`)
  if (taken.some((there) => backup.ino === there?.ino && backup.dev === there.dev))
    throw new OperatorError(`${file} is the database itself, or the copy of a restore that was interrupted.`)
  await confirm(
    `Restore ${file} (of ${backup.mtime.toISOString()}) over ${path}? The replaced database is kept.`,
    options,
  )
  try {
    const done = await withProgress(options, config, (made) =>
      restoreFile(path, file, { ...made, onStep: say, evenThoughMoved: isEvenThoughMoved() }),
    )
    const { keptAside, isReplacedReadable, ...made } = done
    report(made, options, { keptAside, isReplacedReadable })
    if (keptAside !== null && !isReplacedReadable)
      writeErrorLine('The replaced database could not be read: revocations since the backup are unknown.')
  } catch (error) {
    if (error instanceof UnfitFileError) throw new OperatorError(`Nothing was changed. ${file}: ${error.message}.`)
    if (error instanceof OlderReplacedError) throw new OperatorError(`Nothing was changed: ${error.message}.`)
    if (isSqliteBusy(error))
      throw new OperatorError(`Nothing was changed: a service or another command has ${path} open. Stop it first.`)
    if (isSqliteFull(error) || (error as NodeJS.ErrnoException).code === 'ENOSPC')
      throw new OperatorError(`Nothing was changed: the disk is full. Free space for two more copies next to ${path}.`)
    throw error
  }
}

async function inPlace(options: RestoreOptions): Promise<void> {
  const config = readSettings()
  const { database } = config
  if (database.kind !== 'postgres')
    throw new OperatorError(
      '--in-place is for PostgreSQL, but DATABASE_URL is a file. Name the FILE to restore.',
      EXIT_USAGE,
    )
  const replacedUrl = options.replaced === undefined ? undefined : postgresUrl(options.replaced)
  const { host, pathname } = new URL(database.url)
  await confirm(`Make ${host}${pathname}, filled by pg_restore, safe to serve?`, options)
  const log = createLog('silent')
  const db = openPostgres(database.url, 1, log, MIGRATION_LIMITS)
  const replaced = replacedUrl === undefined ? undefined : openPostgres(replacedUrl, 1, log, MIGRATION_LIMITS)
  try {
    const made = await withProgress(options, config, (how) => makeSafeInPlace(db, replaced, how))
    report(made, options, { isReplacedReadable: replaced !== undefined })
  } catch (error) {
    if (error instanceof InPlaceRefusedError)
      throw new OperatorError(`Nothing was changed in ${host}${pathname}: ${error.message}.`)
    if (isPostgresUnavailable(error) || error instanceof DatabaseError)
      throw new OperatorError(`Nothing was changed. The database cannot be used: ${(error as Error).message}.`)
    throw error
  } finally {
    await db.close()
    await replaced?.close()
  }
}

function postgresUrl(value: string): string {
  try {
    const location = parseDatabase(value)
    if (location.kind === 'postgres') return location.url
  } catch (error) {
    throw new OperatorError(`--replaced ${(error as Error).message}.`, EXIT_USAGE)
  }
  throw new OperatorError('--replaced must be postgres://….', EXIT_USAGE)
}

async function withProgress<T>(
  { keys }: RestoreOptions,
  { paymentLinkRetentionDays }: Config,
  work: (how: MakeSafeOptions) => Promise<T>,
): Promise<T> {
  let rows = 0
  const progress = repeat(PROGRESS_EVERY_MS, async () => {
    if (rows > 0) say(`${rows} rows`)
  })
  try {
    return await work({
      nowMs: systemClock.now(),
      isTrusting: keys === 'trust',
      paymentLinkRetentionMs: paymentLinkRetentionDays * DAY_MS,
      onRows: (count) => void (rows += count),
    })
  } finally {
    await progress.stop()
  }
}

function report(
  { migrated, ...made }: MakeSafeCounts & Readonly<{ migrated: readonly string[] }>,
  { json }: RestoreOptions,
  about: Readonly<{ keptAside?: string | null; isReplacedReadable: boolean }>,
): void {
  if (json) return writeJson({ ...about, migrated, ...made })
  writeFields({
    users: `${made.users}, all signed out`,
    'deleted since': String(made.usersDeleted),
    'disabled since': String(made.usersDisabled),
    'keys revoked since': String(made.keysRevoked),
    'keys awaiting their owners': String(made.keysWaiting),
    'Google accounts removed': String(made.identitiesRemoved),
    'payment links deactivated since': String(made.paymentLinksDeactivated),
    ...(migrated.length > 0 && { migrations: migrated.join(', ') }),
    ...(about.keptAside !== undefined && {
      'replaced database': about.keptAside === null ? 'there was none' : `kept as ${about.keptAside}`,
    }),
  })
}
