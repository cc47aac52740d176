/** What every process begins with. The command line uses no other part of the runtime, so a command loads no other. */
import { DatabaseError } from 'pg'
import type { Config } from './config/settings.ts'
import { migrate, schemaOf } from './database/migrate.ts'
import { MovedDatabaseError } from './database/moved.ts'
import { openDatabase, MIGRATION_LIMITS } from './database/open.ts'
import { isPostgresUnavailable } from './database/postgres/errors.ts'
import type { TimeLimits } from './database/postgres/open.ts'
import type { CoreDeps } from './domain/deps.ts'
import { systemClock } from './lib/clock.ts'
import { describeConnectionFailure } from './lib/failure-cause.ts'
import type { Log } from './lib/log.ts'
import { EXIT_FAILED, OperatorError } from './lib/process/operator-error.ts'
import { systemRandom } from './lib/random.ts'

/** @param options `clock` for tests; `timeLimits`: of the database; `onDatabaseLost`: see `openDatabase` */
export function openCore(
  config: Config,
  log: Log,
  { clock = systemClock, timeLimits, onDatabaseLost }: CoreOptions = {},
): CoreDeps {
  return { config, log, clock, random: systemRandom, db: openDatabase(config, log, timeLimits, onDatabaseLost) }
}

type CoreOptions = Readonly<{
  clock?: CoreDeps['clock']
  timeLimits?: TimeLimits
  onDatabaseLost?: Parameters<typeof openDatabase>[3]
}>

/**
 * Migrates on its own connections, because a migration may take longer than any call may wait.
 * @param evenThoughMoved whether an embedded database that was copied to PostgreSQL may be used
 * @throws {MovedDatabaseError} otherwise; the database is unchanged
 */
export async function migrateDatabase(config: Config, log: Log, evenThoughMoved = false): Promise<string[]> {
  const db = openDatabase(config, log, MIGRATION_LIMITS)
  try {
    if (db.dialect === 'sqlite' && !evenThoughMoved && (await schemaOf(db)).isMoved) throw new MovedDatabaseError()
    return await migrate(db)
  } catch (error) {
    throw explainPostgresError(error)
  } finally {
    await db.close()
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** @returns one line for the operator; the error itself if it is not PostgreSQL's */
export function explainPostgresError(error: unknown): unknown {
  // A server's message about itself or a statement contains no password.
  if (!isPostgresUnavailable(error) && !(error instanceof DatabaseError)) return error
  const remedy =
    (error as DatabaseError).code === INSUFFICIENT_PRIVILEGE
      ? 'The role must own the tables of the service, and may need GRANT USAGE, CREATE ON SCHEMA (docs/operations.md, PostgreSQL).'
      : 'Check DATABASE_URL and that the server is running.'
  const message = `The database cannot be used: ${describeConnectionFailure(error)} ${remedy}`
  return new OperatorError(message, EXIT_FAILED, { cause: error })
}
