/**
 * Marks a test file that imports this: `npm run test:postgres` runs it once more, on PostgreSQL. Marked is what depends
 * on the database: statements of stores, transactions, locks, retries, conflicts, several processes on one database,
 * leases, migrations, copies, sweeps and pools. What reaches the database by statements that a marked file runs
 * already, or not at all, runs on the embedded database only.
 */

/** Nothing: the import is the mark. */
export {}
