/** What SQLite's error codes mean (sqlite.org/rescode.html). */

const SQLITE_BUSY = 5
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14

const UNAVAILABLE = new Set<number | undefined>([
  SQLITE_BUSY,
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
])

/** Whether an error says that the embedded database cannot serve just now (busy, full, unwritable). */
export const isSqliteUnavailable = (error: unknown): boolean => UNAVAILABLE.has(codeOf(error))

/** Whether an error says that another process holds a lock. */
export const isSqliteBusy = (error: unknown): boolean => codeOf(error) === SQLITE_BUSY

// Without the upper bits, which make it an extended code.
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}
