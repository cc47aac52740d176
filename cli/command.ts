/** Shared by the commands: database access, confirmation, progress. */
import type { CoreDeps } from '../src/domain/deps.ts'
import { BREAKS_OLDER, migrations, schemaOf } from '../src/database/migrate.ts'
import { createLog } from '../src/lib/log.ts'
import { EXIT_USAGE, OperatorError } from '../src/lib/process/operator-error.ts'
import { explainPostgresError, openCore } from '../src/core.ts'
import { ask, isWatched, writeErrorLine } from '../src/lib/text/terminal.ts'
import type { Config } from '../src/config/settings.ts'
import { requireDatabaseFile } from './database-file.ts'
import { checkMoved, readSettings } from './commands/settings.ts'

/** Longer than for API callers, but bounded. */
const STATEMENT_TIMEOUT_MS = 30_000

/**
 * Works with and without a running service. Never migrates, because a running service may be older.
 * @throws {OperatorError} when there is no database, or its schema is not this version's
 */
export const onDatabase = <T>(work: (deps: CoreDeps) => Promise<T>): Promise<T> =>
  withDatabase(readSettings(), async (deps, isMoved) => {
    checkMoved(isMoved)
    return work(deps)
  })

/**
 * Like `onDatabase`, on the database of these settings, even where it was moved.
 * @param answerTimeoutMs of each statement on PostgreSQL
 */
export async function withDatabase<T>(
  config: Config,
  work: (deps: CoreDeps, isMoved: boolean) => Promise<T>,
  answerTimeoutMs = STATEMENT_TIMEOUT_MS,
): Promise<T> {
  const { database } = config
  if (database.kind === 'sqlite') requireDatabaseFile(database.path)
  const core = openCore(config, createLog('silent'), { timeLimits: { answerTimeoutMs } })
  const { db } = core
  try {
    const { missing, unknown, isMoved } = await schemaOf(db)
    if (unknown.some((name) => BREAKS_OLDER.test(name))) {
      throw new OperatorError(`This version is too old for the data: it does not know ${unknown.join(', ')}.`)
    }
    if (database.kind === 'sqlite' && missing.length === Object.keys(migrations).length) {
      throw new OperatorError(`${database.path} is not a database of this service. Check DATA_DIR and DATABASE_URL.`)
    }
    if (missing.length > 0) {
      throw new OperatorError(
        `The database lacks ${missing.join(', ')}: run \`paylink-auth migrate\` first, or start the service.`,
      )
    }
    return await work(core, isMoved)
  } catch (error) {
    throw explainPostgresError(error)
  } finally {
    await db.close()
  }
}

/**
 * Fails early, before any work, when confirmation would be needed but there is no terminal.
 * @throws {OperatorError}
 */
export function requireConfirmable({ yes }: Readonly<{ yes?: boolean | undefined }>): void {
  if (yes || (process.stdin.isTTY && isWatched())) return
  throw new OperatorError(
    'This command asks for confirmation and needs a terminal. Use --yes to skip the question. Nothing was changed.',
    EXIT_USAGE,
  )
}

/** Asks unless `--yes` was given. @throws {OperatorError} unless the answer is yes */
export async function confirm(question: string, { yes }: Readonly<{ yes?: boolean | undefined }>): Promise<void> {
  if (yes) return
  const answer = await ask(`${question} Type yes to continue: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new OperatorError('Nothing was changed.')
}

/** Shows progress on standard error, on a terminal only. */
export function say(what: string): void {
  if (isWatched()) writeErrorLine(`… ${what}`)
}
