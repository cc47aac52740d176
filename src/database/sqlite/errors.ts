/** Classifies SQLite's error codes (sqlite.org/rescode.html). */

const SQLITE_BUSY = 5
const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
const SQLITE_CORRUPT = 11
export const SQLITE_FULL = 13
const SQLITE_CANTOPEN = 14
const SQLITE_NOTADB = 26
const SQLITE_IOERR_SHMSIZE = 4874

const UNAVAILABLE = new Set<number | undefined>([
  SQLITE_BUSY,
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
])

/** Whether the embedded database is temporarily unavailable: busy, full, unwritable. */
export const isSqliteUnavailable = (error: unknown): boolean => UNAVAILABLE.has(codeOf(error))

export const isSqliteBusy = (error: unknown): boolean => codeOf(error) === SQLITE_BUSY

export const isSqliteDamaged = (error: unknown): boolean => [SQLITE_CORRUPT, SQLITE_NOTADB].includes(codeOf(error) ?? 0)

/** Also when the index of the log cannot grow (SQLITE_IOERR_SHMSIZE). */
export const isSqliteFull = (error: unknown): boolean =>
  codeOf(error) === SQLITE_FULL || (error as { errcode?: number } | undefined)?.errcode === SQLITE_IOERR_SHMSIZE

export const fullError = (): Error =>
  Object.assign(new Error('database or disk is full'), { code: 'ERR_SQLITE_ERROR', errcode: SQLITE_FULL })

// The upper bits make an extended code.
function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined
}
