/** What commands have in common: how they ask, and the database they work on. */
import { statSync } from 'node:fs'
import { DatabaseError } from 'pg'
import type { CoreDeps } from '../src/domain/deps.ts'
import { isPostgresUnavailable } from '../src/database/postgres/errors.ts'
import { ENDS_OLDER, schemaOf } from '../src/database/migrate.ts'
import { createLog } from '../src/lib/log.ts'
import { EXIT_USAGE, OperatorError } from '../src/lib/operator-error.ts'
import { openCore } from '../src/runtime.ts'
import { ask, isWatched, writeErrorLine } from '../src/lib/terminal.ts'
import { readConfig } from '../src/config/read-config.ts'

/** How long a statement may take, in milliseconds: longer than for a caller who waits, and not for ever. */
const ANSWERED_WITHIN_MS = 30_000

/**
 * Runs a command on the database of the settings, whether or not a service runs on it too.
 * @throws {OperatorError} where there is none, or its schema is not this version's: it is never migrated here,
 * under a service that may be older
 */
export async function onDatabase<T>(work: (deps: CoreDeps) => Promise<T>): Promise<T> {
  const config = readConfig()
  const { database } = config
  // Looked for here: SQLite would make a file that is not there.
  if (database.kind === 'sqlite' && !statSync(database.path, { throwIfNoEntry: false })?.isFile()) {
    throw new OperatorError(`There is no database: no file ${database.path}. Check DATA_DIR and DATABASE_URL.`)
  }
  const core = openCore(config, createLog('silent'), { patience: { answeredWithinMs: ANSWERED_WITHIN_MS } })
  const { db } = core
  try {
    const { missing, unknown } = await schemaOf(db)
    if (unknown.some((name) => ENDS_OLDER.test(name))) {
      throw new OperatorError(`This version is too old for the data: it does not know ${unknown.join(', ')}.`)
    }
    if (missing.length > 0) {
      throw new OperatorError(
        `The database lacks ${missing.join(', ')}: run \`paylink-auth migrate\` first, or start the service.`,
      )
    }
    return await work(core)
  } catch (error) {
    // What a server says of itself or of a statement holds no password.
    throw isPostgresUnavailable(error) || error instanceof DatabaseError ? unavailable(error) : error
  } finally {
    await db.close()
  }
}

function unavailable(error: unknown): OperatorError {
  const { message, code = '' } = error as NodeJS.ErrnoException
  return new OperatorError(
    `The database cannot be used: ${message || code}. Check DATABASE_URL, and whether the server runs.`,
  )
}

/**
 * Refuses at once what would have to be asked where nobody can be: before anything is looked at.
 * @throws {OperatorError}
 */
export function requireAnswerable({ yes }: Readonly<{ yes?: boolean | undefined }>): void {
  if (yes || (process.stdin.isTTY && isWatched())) return
  throw new OperatorError(
    'This asks first, and nobody is there to be asked: say --yes. Nothing was changed.',
    EXIT_USAGE,
  )
}

/** Asks, unless `--yes` was said. @throws {OperatorError} where the answer is anything but yes */
export async function confirm(question: string, { yes }: Readonly<{ yes?: boolean | undefined }>): Promise<void> {
  if (yes) return
  const answer = await ask(`${question} Type yes to go on: `)
  if (answer.trim().toLowerCase() !== 'yes') throw new OperatorError('Nothing was changed.')
}

/** Says on standard error what long work is at; only where a person looks. */
export function say(what: string): void {
  if (isWatched()) writeErrorLine(`… ${what}`)
}
