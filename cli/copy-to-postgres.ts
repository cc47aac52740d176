/** `paylink-auth copy-to-postgres`: copies everything from the embedded database into an empty PostgreSQL one. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError } from 'pg'
import { copyDatabase, CopyRefusedError, countSource, openSource } from '../src/restore/copy-to-postgres.ts'
import { isPostgresUnavailable } from '../src/database/postgres/errors.ts'
import { openPostgres } from '../src/database/postgres/open.ts'
import { createLog } from '../src/lib/log.ts'
import { EXIT_USAGE, OperatorError } from '../src/lib/operator-error.ts'
import { repeat } from '../src/lib/repeat.ts'
import { database } from '../src/config/parsers.ts'
import { writeErrorLine, writeJson, writeLine } from '../src/lib/terminal.ts'
import { readConfig } from '../src/config/read-config.ts'

/** How often progress is told, in milliseconds; shorter work tells none. */
const PROGRESS_EVERY_MS = 2000
/** How long all of it may take, in milliseconds: as long as it needs, but not for ever. */
const COPIED_WITHIN_MS = 12 * 60 * 60 * 1000

/** The options as they were given. */
export type CopyOptions = Readonly<{ from?: string | undefined; to?: string | undefined; json?: boolean }>

/**
 * Copies, with progress on standard error and what was copied on standard output.
 * @param options by default what the settings say: the file in DATA_DIR, and DATABASE_URL
 * @throws {OperatorError} when the target is as it was
 */
export async function copyToPostgres(options: CopyOptions): Promise<void> {
  const config = readConfig()
  const inDataDir = { kind: 'sqlite', path: join(config.dataDir, 'paylink-auth.db') } as const
  const from = option('--from', options.from) ?? (config.database.kind === 'sqlite' ? config.database : inDataDir)
  const to = option('--to', options.to) ?? config.database
  if (from.kind !== 'sqlite') throw new OperatorError('--from must be sqlite:PATH.', EXIT_USAGE)
  if (to.kind !== 'postgres')
    throw new OperatorError('Say where to copy: --to postgres://…, or DATABASE_URL.', EXIT_USAGE)
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

// What a server says of itself or of a statement holds no value of a row and no password.
function placeOf(error: unknown): 'source' | 'target' | undefined {
  if (error instanceof CopyRefusedError) return error.which
  return error instanceof DatabaseError || isPostgresUnavailable(error) ? 'target' : undefined
}

async function copy(path: string, url: string, isJson: boolean): Promise<void> {
  // Looked for here: SQLite would make a file that is not there.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    throw new OperatorError(`There is no database to copy: no file ${path}.`)
  }
  const { host, pathname } = new URL(url)
  const names = { source: path, target: `${host}${pathname}` }
  const total = { rows: 0, of: 0 }
  const say = () => writeErrorLine({ style: 'dim', text: `… ${total.rows} of ${total.of} rows` })
  const progress = repeat(PROGRESS_EVERY_MS, async () => say())
  const target = openPostgres(url, 2, createLog('error'), { answeredWithinMs: COPIED_WITHIN_MS })
  try {
    const source = openSource(path)
    try {
      total.of = countSource(source)
      const counts = await copyDatabase(source, target, (rows) => (total.rows += rows))
      say()
      if (isJson) return writeJson({ rows: total.rows, tables: Object.fromEntries(counts) })
      for (const [table, count] of counts) writeLine(`${table}: ${count}`)
      writeLine(`Copied ${total.rows} rows to ${names.target}; as many are there as in ${names.source}.`)
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
