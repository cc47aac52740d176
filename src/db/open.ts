/** The database of the settings, whichever it is. */
import type { Log } from '../lib/log.ts'
import type { DatabaseLocation } from '../lib/setting-parsers.ts'
import type { Db } from './db.ts'
import { isPostgresUnavailable, openPostgres } from './postgres.ts'
import type { Patience } from './postgres.ts'
import { isSqliteUnavailable, openSqlite } from './sqlite.ts'

/**
 * Opens it: a file is made where it is missing, a server is connected to when something is asked of it.
 * @param patience how long a server may take; where it is absent, as long as a caller waits for an answer
 * @throws the platform's error when a file cannot be made or written
 */
export function openDatabase(
  { database, databasePoolSize }: Readonly<{ database: DatabaseLocation; databasePoolSize: number }>,
  log: Log,
  patience?: Patience,
): Db {
  if (database.kind === 'sqlite') return openSqlite(database.path)
  return openPostgres(database.url, databasePoolSize, log, patience)
}

/** For changes of the schema, which may take as long as the tables are large. */
export const UNHURRIED: Patience = { answeredWithinMs: 3_600_000 }

/** Whether an error says that the database could not serve just now. */
export function isUnavailable(error: unknown): boolean {
  return isSqliteUnavailable(error) || isPostgresUnavailable(error)
}
