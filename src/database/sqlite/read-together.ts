import type { DatabaseSync } from 'node:sqlite'
import { TransactionMisuseError } from '../database.ts'
import { isSqliteBusy } from './errors.ts'
import type { RunStatement, StatementCache } from './statement-cache.ts'

/**
 * Runs reads in one read transaction: SQLite takes its locks once.
 * @param read starts all statements before it returns
 * @throws SQLite's "busy" at once, even if `read` rejects with it
 */
export function readTogether<T>(
  file: DatabaseSync,
  statements: StatementCache,
  read: (run: RunStatement) => Promise<T>,
): Promise<T> {
  let isOver = false
  let busy: unknown
  statements.run('BEGIN', [])
  try {
    const answers = read((sql, parameters) => {
      if (isOver) throw new TransactionMisuseError()
      try {
        return statements.run(sql, parameters)
      } catch (error) {
        if (isSqliteBusy(error)) busy = error
        throw error
      }
    })
    if (busy === undefined) return answers
    answers.catch(() => {})
    throw busy
  } finally {
    isOver = true
    // After a disk error SQLite has rolled back by itself.
    if (file.isTransaction) statements.run('COMMIT', [])
  }
}
