/**
 * Marks a test file that imports this: `npm run test:postgres` runs it on PostgreSQL too. Mark what depends on the
 * database: store statements, transactions, locks, retries, conflicts, several processes on one database, leases,
 * migrations, copies, sweeps and pools. Other tests run on SQLite only, because a marked file already covers their
 * statements.
 */

const MARK = /^import '[\w./-]+\/on-postgres\.ts'$/m

/** Whether a test file with this source has the mark. */
export function isMarked(text: string): boolean {
  return MARK.test(text)
}
