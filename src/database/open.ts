/** Opens the database of the settings. */
import type { Log } from '../lib/log.ts'
import type { DatabaseLocation } from '../config/parsers.ts'
import type { Database } from './database.ts'
import { isPostgresUnavailable } from './postgres/errors.ts'
import { openPostgres } from './postgres/open.ts'
import type { Patience } from './postgres/open.ts'
import { isSqliteUnavailable } from './sqlite/errors.ts'
import { openSqlite } from './sqlite/sqlite-database.ts'

/**
 * Opens it: a missing file is created, a server is connected to by the first query.
 * @param patience how long a server may take; absent: as long as a caller waits for an answer
 * @throws the platform's error when a file cannot be made or written
 */
export function openDatabase(
  { database, databasePoolSize }: Readonly<{ database: DatabaseLocation; databasePoolSize: number }>,
  log: Log,
  patience?: Patience,
): Database {
  if (database.kind === 'sqlite') return openSqlite(database.path, { allowsOtherWaits: patience?.allowsOtherWaits })
  return openPostgres(database.url, databasePoolSize, log, patience)
}

/** For changes of the schema, which take as long as the tables are large. */
export const UNHURRIED: Patience = { answeredWithinMs: 3_600_000, allowsOtherWaits: true }

/** Whether an error says that the database cannot serve just now. */
export function isUnavailable(error: unknown): boolean {
  return isSqliteUnavailable(error) || isPostgresUnavailable(error)
}
