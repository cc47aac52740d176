/** `paylink-auth copy-to-postgres`: copies everything from the embedded database into an empty PostgreSQL one. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseError } from 'pg'
import { copyDatabase, CopyRefusedError, countSource, openSource } from '../src/restore/copy-to-postgres.ts'
import { isPostgresUnavailable } from '../src/database/postgres/errors.ts'
import { openPostgres } from '../src/database/postgres/open.ts'
import { createLog } from '../src/lib/log.ts'
import { repeat } from '../src/lib/repeat.ts'
import { database } from '../src/config/parsers.ts'
import { writeErrorLine, writeJson, writeLine } from '../src/lib/terminal.ts'
import { orExplain } from '../src/explain-failure.ts'
import { readConfig } from '../src/config/read-config.ts'

/** How often progress is told, in milliseconds; shorter work tells none. */
const PROGRESS_EVERY_MS = 2000
/** How long all of it may take, in milliseconds: as long as it needs, but not for ever. */
const COPIED_WITHIN_MS = 12 * 60 * 60 * 1000

/** The exit code for options that make no sense (sysexits.h, EX_USAGE). */
const EXIT_USAGE = 64

/** The options as they were given. */
export type CopyOptions = Readonly<{ from?: string | undefined; to?: string | undefined; json?: boolean }>

/**
 * Copies, with progress on standard error and what was copied on standard output.
 * @param options by default what the settings say: the file in DATA_DIR, and DATABASE_URL
 * @returns the exit code: 0 copied, 1 not copied and the target as it was, 64 wrong usage
 */
export async function copyToPostgres(options: CopyOptions): Promise<number> {
  let exitCode = EXIT_USAGE
  await orExplain(async () => {
    const config = readConfig()
    const inDataDir = { kind: 'sqlite', path: join(config.dataDir, 'paylink-auth.db') } as const
    const from = option('--from', options.from) ?? (config.database.kind === 'sqlite' ? config.database : inDataDir)
    const to = option('--to', options.to) ?? config.database
    if (from === 'wrong' || to === 'wrong') return
    if (from.kind !== 'sqlite') return writeErrorLine('--from must be sqlite:PATH.')
    if (to.kind !== 'postgres') return writeErrorLine('Say where to copy: --to postgres://…, or DATABASE_URL.')
    exitCode = await copy(from.path, to.url, options.json === true)
  })
  return exitCode
}

function option(name: string, value: string | undefined) {
  if (value === undefined) return undefined
  try {
    return database(value)
  } catch (error) {
    writeErrorLine(`${name} ${(error as Error).message}.`)
    return 'wrong'
  }
}

// What a server says of itself or of a statement holds no value of a row and no password.
function placeOf(error: unknown): 'source' | 'target' | undefined {
  if (error instanceof CopyRefusedError) return error.which
  return error instanceof DatabaseError || isPostgresUnavailable(error) ? 'target' : undefined
}

async function copy(path: string, url: string, isJson: boolean): Promise<number> {
  // Looked for here: SQLite would make a file that is not there.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
    writeErrorLine(`There is no database to copy: no file ${path}.`)
    return 1
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
      if (isJson) {
        writeJson({ rows: total.rows, tables: Object.fromEntries(counts) })
        return 0
      }
      for (const [table, count] of counts) writeLine(`${table}: ${count}`)
      writeLine(`Copied ${total.rows} rows to ${names.target}; as many are there as in ${names.source}.`)
      return 0
    } finally {
      source.close()
    }
  } catch (error) {
    const which = placeOf(error)
    if (which === undefined) throw error
    writeErrorLine(`Nothing was copied. ${names[which]}: ${(error as Error).message}.`)
    return 1
  } finally {
    await progress.stop()
    await target.close()
  }
}
