import { EXIT_FAILED, OperatorError } from '../src/lib/operator-error.ts'

export type Failure = Pick<OperatorError, 'lines' | 'exitCode'>

/** Another process has locked the database (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5

type SystemError = NodeJS.ErrnoException &
  Readonly<{ errcode?: number; port?: number; address?: string; hostname?: string }>

/** Errors that an operator can fix become one line each; anything else is a bug and shows its stack. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof OperatorError) return error
  const stack = error instanceof Error ? error.stack : undefined
  const line = explainSystemError((error ?? {}) as SystemError)
  return { lines: line === undefined ? (stack ?? String(error)).split('\n') : [line], exitCode: EXIT_FAILED }
}

function explainSystemError({
  code,
  syscall,
  errcode,
  port,
  address,
  hostname,
  path,
  message,
}: SystemError): string | undefined {
  if (code === 'EADDRINUSE') return `Port ${port} on ${address} is in use. Set PORT to another one.`
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    return `Cannot listen on ${address ?? hostname}${port ? `, port ${port}` : ''}: ${code}. Check HOST and PORT.`
  }
  if (errcode === SQLITE_BUSY) return 'Another process has locked the database. Stop it or wait, then try again.'
  if (code === 'ERR_SQLITE_ERROR')
    return `The database cannot be used: ${message} (SQLite ${errcode}). Check DATABASE_URL, DATA_DIR and their permissions.`
  if (path ?? ['write', 'fsync', 'fdatasync'].includes(syscall ?? '')) {
    return `The data folder cannot be used: ${code} at ${path ?? 'its files'}. Check DATA_DIR, its permissions and its space.`
  }
  return undefined
}
