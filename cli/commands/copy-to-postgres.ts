import { join } from 'node:path'
import { DatabaseError } from 'pg'
import {
  copyDatabase,
  CopyRefusedError,
  countSource,
  isMarked,
  openSource,
} from '../../src/restore/copy-to-postgres.ts'
import { isPostgresUnavailable } from '../../src/database/postgres/errors.ts'
import { openPostgres } from '../../src/database/postgres/open.ts'
import { createLog } from '../../src/lib/log.ts'
import { EXIT_USAGE, OperatorError } from '../../src/lib/process/operator-error.ts'
import { repeat } from '../../src/lib/repeat.ts'
import { database } from '../../src/config/parsers.ts'
import { writeErrorLine, writeJson, writeLine } from '../../src/lib/text/terminal.ts'
import { readConfig } from '../../src/config/read-config.ts'
import { requireDatabaseFile } from '../database-file.ts'
import { announce, describeDatabase, isEvenThoughMoved } from './settings.ts'

/** Shorter work shows no progress. */
const PROGRESS_EVERY_MS = 2000
/** Generous, but bounded. */
const COPY_TIMEOUT_MS = 12 * 60 * 60 * 1000

export type CopyOptions = Readonly<{ from?: string | undefined; to?: string | undefined; json?: boolean }>

/**
 * @param options default: the file in DATA_DIR, and DATABASE_URL
 * @throws {OperatorError} when the target is unchanged
 */
export async function copyToPostgres(options: CopyOptions): Promise<void> {
  const config = readConfig()
  const inDataDir = { kind: 'sqlite', path: join(config.dataDir, 'paylink-auth.db') } as const
  const from = option('--from', options.from) ?? (config.database.kind === 'sqlite' ? config.database : inDataDir)
  const to = option('--to', options.to) ?? config.database
  if (from.kind !== 'sqlite') throw new OperatorError('--from must be sqlite:PATH.', EXIT_USAGE)
  if (to.kind !== 'postgres')
    throw new OperatorError('Missing target: set --to postgres://… or DATABASE_URL.', EXIT_USAGE)
  announce(`Database: ${describeDatabase(from)}, to ${describeDatabase(to)}`)
  await copy(from.path, to.url, options.json === true)
}

function option(name: string, value: string | undefined) {
  if (value === undefined) return undefined
  try {
    return database(value)
  } catch (error) {
    throw new OperatorError(`${name} ${(error as Error).message}.`, EXIT_USAGE)
  }
}

// A server's message about itself or a statement contains no row values and no password.
function placeOf(error: unknown): 'source' | 'target' | undefined {
  if (error instanceof CopyRefusedError) return error.which
  return error instanceof DatabaseError || isPostgresUnavailable(error) ? 'target' : undefined
}

async function copy(path: string, url: string, isJson: boolean): Promise<void> {
  requireDatabaseFile(path, '--from and DATA_DIR')
  const { host, pathname } = new URL(url)
  const names = { source: path, target: `${host}${pathname}` }
  const total = { rows: 0, of: 0 }
  const say = () => writeErrorLine({ style: 'dim', text: `… ${total.rows} of ${total.of} rows` })
  const progress = repeat(PROGRESS_EVERY_MS, async () => say())
  const target = openPostgres(url, 2, createLog('error'), { answerTimeoutMs: COPY_TIMEOUT_MS })
  try {
    const source = openSource(path, isEvenThoughMoved())
    try {
      total.of = countSource(source)
      const counts = await copyDatabase(source, target, (rows) => (total.rows += rows))
      say()
      if (isJson) return writeJson({ rows: total.rows, tables: Object.fromEntries(counts) })
      for (const [table, count] of counts) writeLine(`${table}: ${count}`)
      writeLine(`Copied ${total.rows} rows to ${names.target}; the counts match those of ${names.source}.`)
      writeLine(`${names.source} is marked as moved and is not served again.`)
    } catch (error) {
      if (!isMarked(source)) throw error
      throw new OperatorError(
        `${names.target}: ${(error as Error).message}. The commit was not confirmed, and ${names.source} is marked as moved. If the target has no rows, run the command again with --even-though-moved.`,
      )
    } finally {
      source.close()
    }
  } catch (error) {
    const which = placeOf(error)
    if (which === undefined) throw error
    throw new OperatorError(`Nothing was copied. ${names[which]}: ${(error as Error).message}.`)
  } finally {
    await progress.stop()
    await target.close()
  }
}
