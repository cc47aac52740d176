/** The database of the settings, whichever it is. */
import { sql } from 'kysely'
import type { Log } from '../lib/log.ts'
import type { DatabaseLocation } from '../lib/setting-parsers.ts'
import { isServer } from './db.ts'
import type { Db } from './db.ts'
import { isPostgresUnavailable } from './postgres-errors.ts'
import { readOnly, refuseStandby } from './standby.ts'
import { openPostgres, reserveOf } from './postgres.ts'
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

/**
 * Asks whether the database can serve: it answers, and is no standby that lags behind what was revoked.
 * @throws where it does not, or is one
 */
export async function ping(db: Db): Promise<void> {
  if (!isServer(db)) return void (await sql`select 1`.execute(db))
  const isReadOnly = sql<{ read_only: string }>`select ${readOnly}`
  const { rows } = await isReadOnly.execute(reserveOf(db)?.db ?? db)
  refuseStandby(rows[0]?.read_only)
}

/** The time by the server's clock, in milliseconds; `undefined` of the embedded database, whose clock is ours. */
export async function serverTimeMs(db: Db): Promise<number | undefined> {
  if (!isServer(db)) return undefined
  const time = sql<{ ms: number }>`select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as ms`
  return (await time.execute(db)).rows[0]?.ms
}

/** Whether an error says that the database could not serve just now. */
export function isUnavailable(error: unknown): boolean {
  return isSqliteUnavailable(error) || isPostgresUnavailable(error)
}
