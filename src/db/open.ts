/** The database of the settings, whichever it is. */
import type { Config } from '../config.ts'
import type { Log } from '../lib/log.ts'
import type { Db } from './db.ts'
import { isPostgresUnavailable, openPostgres } from './postgres.ts'
import { isSqliteUnavailable, openSqlite } from './sqlite.ts'

/**
 * Opens it: a file is made where it is missing, a server is connected to when something is asked of it.
 * @throws the platform's error when a file cannot be made or written
 */
export function openDatabase({ database, databasePoolSize }: Pick<Config, 'database' | 'databasePoolSize'>, log: Log): Db {
  return database.kind === 'sqlite' ? openSqlite(database.path) : openPostgres(database.url, databasePoolSize, log)
}

/** Whether an error says that the database could not serve just now. */
export function isUnavailable(error: unknown): boolean {
  return isSqliteUnavailable(error) || isPostgresUnavailable(error)
}
