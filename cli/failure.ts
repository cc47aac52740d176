import { isSqliteBusy, isSqliteFull } from '../src/database/sqlite/errors.ts'
import { EXIT_FAILED, OperatorError } from '../src/lib/process/operator-error.ts'

export type Failure = Pick<OperatorError, 'lines' | 'exitCode'>

// sqlite.org/rescode.html
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
const SQLITE_NOTADB = 26

type SystemError = NodeJS.ErrnoException &
  Readonly<{ errcode?: number; port?: number; address?: string; hostname?: string }>

/** Errors that an operator can fix become one line each; anything else is a bug and shows its stack. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof OperatorError) return error
  const stack = error instanceof Error ? error.stack : undefined
  const line = explainSystemError(error)
  return { lines: line === undefined ? (stack ?? String(error)).split('\n') : [line], exitCode: EXIT_FAILED }
}

/** @returns one line for the operator; undefined for an error that only a bug can cause */
export function explainSystemError(error: unknown): string | undefined {
  const { code, syscall, port, address, hostname, path } = (error ?? {}) as SystemError
  if (code === 'EADDRINUSE') return `Port ${port} on ${address} is in use. Set PORT to another one.`
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return `Cannot listen on ${address ?? hostname}${port ? `, port ${port}` : ''}: ${code}. Check HOST and PORT.`
  }
  if (code === 'ERR_SQLITE_ERROR') return explainSqlite(error as SystemError)
  if (code === 'ENOSPC') return `The disk is full${path ? ` at ${path}` : ''}. Free some space, then try again.`
  if (path ?? ['write', 'fsync', 'fdatasync'].includes(syscall ?? '')) {
    return `The data folder cannot be used: ${code} at ${path ?? 'its files'}. Check DATA_DIR, its permissions and its space.`
  }
  return undefined
}

function explainSqlite(error: SystemError): string {
  if (isSqliteBusy(error)) return 'Another process has locked the database. Stop it or wait, then try again.'
  if (isSqliteFull(error)) return 'The disk is full: the database cannot be written. Free some space, then try again.'
  const { errcode = 0, message } = error
  const said = `${message} (SQLite ${errcode})`
  // The upper bits make an extended code.
  switch (errcode & 0xff) {
    case SQLITE_IOERR:
      return `The disk of the database failed: ${said}. Check its free space, then the disk, then run \`paylink-auth doctor --deep\`.`
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return `The database is damaged: ${said}. Stop the service, keep the damaged files, and restore the last backup.`
    default:
      return `The database cannot be used: ${said}. Check DATABASE_URL, DATA_DIR and their permissions.`
  }
}
