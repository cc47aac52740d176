/** Why a process ends: what an operator can mend is said in a line. */
import { ConfigError } from './config/load-config.ts'
import { NewerSchemaError, SchemaInUseError } from './database/migrate.ts'
import { OperatorError } from './errors.ts'
import { writeErrorLine } from './lib/terminal.ts'

/** The exit code for settings that do not make a service that may start (sysexits.h, EX_CONFIG). */
const EXIT_CONFIG = 78
/** The database is held by somebody else (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5

/** Runs a process's work. What an operator can mend ends it with a line; anything else is a fault and shows its stack. */
export async function orExplain(work: () => Promise<void>): Promise<void> {
  // The database and the signing secret are nobody else's to read.
  process.umask(0o077)
  try {
    await work()
  } catch (error) {
    const explanation = explain(error)
    if (explanation === undefined) throw error
    for (const line of explanation) writeErrorLine(line)
    process.exit(error instanceof ConfigError ? EXIT_CONFIG : 1)
  }
}

type SystemError = NodeJS.ErrnoException &
  Readonly<{ errcode?: number; port?: number; address?: string; hostname?: string }>

/** @returns the lines to write; undefined: a fault */
function explain(error: unknown): string[] | undefined {
  if (error instanceof ConfigError) {
    return ['These settings keep the service from starting:', ...error.problems.map((p) => `  ${p}`)]
  }
  const line = explainInALine(error)
  return line === undefined ? undefined : [line]
}

function explainInALine(error: unknown): string | undefined {
  if (error instanceof NewerSchemaError) return `This version is too old for the data: ${error.message}.`
  if (error instanceof SchemaInUseError) return `The schema could not be changed: ${error.message}. Look into pg_stat_activity, and start again.`
  if (error instanceof OperatorError) return error.message
  const { code, syscall, errcode, port, address, hostname, path, message } = error as SystemError
  if (code === 'EADDRINUSE') return `Port ${port} on ${address} is in use. Set PORT to another one.`
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return `Cannot listen on ${address ?? hostname}${port ? `, port ${port}` : ''}: ${code}. Check HOST and PORT.`
  }
  if (errcode === SQLITE_BUSY) return 'Another process holds the database. Stop it, or wait, and start again.'
  if (code === 'ERR_SQLITE_ERROR') return `The database cannot be used: ${message} (SQLite ${errcode}). Check DATABASE_URL, DATA_DIR and their permissions.`
  if (path ?? ['write', 'fsync'].includes(syscall ?? '')) {
    return `The data folder cannot be used: ${code} at ${path ?? 'its files'}. Check DATA_DIR, its permissions and its space.`
  }
  return undefined
}
