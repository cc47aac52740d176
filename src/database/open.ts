import type { Log } from '../lib/log.ts'
import type { DatabaseLocation } from '../config/parsers.ts'
import type { Database } from './database.ts'
import { ContentionTimeoutError } from '../lib/fair-queue.ts'
import { isPostgresFull, isPostgresLocked, isPostgresUnavailable } from './postgres/errors.ts'
import { openPostgres } from './postgres/open.ts'
import type { TimeLimits } from './postgres/open.ts'
import { isSqliteBusy, isSqliteFull, isSqliteUnavailable } from './sqlite/errors.ts'
import type { DatabaseLostError } from './sqlite/log/log-sync.ts'
import { openSqlite } from './sqlite/sqlite-database.ts'

/**
 * Creates a missing file; connects to a server on the first query.
 * @param timeLimits default: those for callers who wait for an answer
 * @param onLost must end the process: a sync of the file has failed, and nothing more is acknowledged. With it, the file
 * is synced off the event loop; without it, by each commit
 * @throws the platform's error when a file cannot be created or written
 */
export function openDatabase(
  { database, databasePoolSize }: Readonly<{ database: DatabaseLocation; databasePoolSize: number }>,
  log: Log,
  timeLimits?: TimeLimits,
  onLost?: (error: DatabaseLostError) => void,
): Database {
  if (database.kind === 'sqlite') {
    const background = onLost && { log, onLost }
    return openSqlite(database.path, { allowsOtherWaits: timeLimits?.allowsOtherWaits, background })
  }
  return openPostgres(database.url, databasePoolSize, log, timeLimits)
}

/** Time limits for schema changes, which take longer on large tables. */
export const MIGRATION_LIMITS: TimeLimits = { answerTimeoutMs: 3_600_000, allowsOtherWaits: true }

/** Why the database cannot be used for now; undefined for errors of another kind. */
export function unavailableReasonOf(error: unknown): 'disk_full' | 'locked' | 'contention' | 'unreachable' | undefined {
  if (error instanceof ContentionTimeoutError) return 'contention'
  if (isSqliteFull(error) || isPostgresFull(error)) return 'disk_full'
  if (isSqliteBusy(error) || isPostgresLocked(error)) return 'locked'
  return isSqliteUnavailable(error) || isPostgresUnavailable(error) ? 'unreachable' : undefined
}
