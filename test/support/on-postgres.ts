/**
 * Marks a test file that imports this: `npm run test:postgres` runs it once more, on PostgreSQL. Marked is what depends
 * on the database: statements of stores, transactions, locks, retries, conflicts, several processes on one database,
 * leases, migrations, copies, sweeps and pools. What reaches the database by statements that a marked file runs
 * already, or not at all, runs on the embedded database only.
 */

const MARK = /^import '[\w./-]+\/on-postgres\.ts'$/m

/** Whether a test file of this text has the mark. */
export function isMarked(text: string): boolean {
  return MARK.test(text)
}
