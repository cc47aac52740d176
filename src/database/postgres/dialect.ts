import { CompiledQuery, PostgresAdapter, PostgresDialect, PostgresDriver, sql } from 'kysely'
import type { DatabaseConnection, MigrationLockOptions, PostgresDialectConfig, TransactionSettings } from 'kysely'

/** How long a schema change may wait for a table; all other queries on the table wait behind it. */
const SCHEMA_LOCK_TIMEOUT_MS = 300

/** @param answerTimeoutMs time limit of a transaction */
export class BoundedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #begin: CompiledQuery

  constructor(config: PostgresDialectConfig, answerTimeoutMs: number) {
    super(config)
    this.#config = config
    this.#begin = beginBounded(answerTimeoutMs)
  }

  override createDriver() {
    return new BoundedDriver(this.#config, this.#begin)
  }

  override createAdapter() {
    return new TransactionLockAdapter()
  }
}

// Server-side limits, set in the same round trip as `begin`. They are transaction-local, because a transaction pooler
// drops session settings. They end the transaction of a process that hangs or is cut off, and release its row locks.
function beginBounded(answerTimeoutMs: number): CompiledQuery {
  return CompiledQuery.raw(
    `begin; set local statement_timeout = ${Math.floor(answerTimeoutMs * 0.9)}; ` +
      // Less than half, so that a transaction in a lock cycle gives up with time left for a retry (`withRetries`).
      `set local lock_timeout = ${Math.floor(answerTimeoutMs * 0.4)}; ` +
      `set local idle_in_transaction_session_timeout = ${answerTimeoutMs * 2}`,
  )
}

class BoundedDriver extends PostgresDriver {
  readonly #begin: CompiledQuery

  constructor(config: PostgresDialectConfig, begin: CompiledQuery) {
    super(config)
    this.#begin = begin
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings) {
    if (settings.isolationLevel !== undefined || settings.accessMode !== undefined) {
      return super.beginTransaction(connection, settings)
    }
    await connection.executeQuery(this.#begin)
  }
}

// Kysely's lock belongs to the session. A transaction pooler would leave it on a connection that others use next, and
// all later migrations would wait for it. This lock ends with the transaction of `migrate`.
class TransactionLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(
    // As the base class has it: to compare another Kysely with that one takes the compiler seconds.
    db: Parameters<PostgresAdapter['acquireMigrationLock']>[0],
    { lockTable, lockRowId }: MigrationLockOptions,
  ) {
    await db.selectFrom(lockTable).select('id').where('id', '=', lockRowId).forUpdate().execute()
    // The migration itself may take long, but all readers of a table queue behind a schema change that waits for it.
    await sql`select set_config('lock_timeout', ${String(SCHEMA_LOCK_TIMEOUT_MS)}, true)`.execute(db)
  }

  override async releaseMigrationLock() {}
}
