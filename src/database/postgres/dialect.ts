/** Kysely's PostgreSQL dialect, with the server's own time limits on every transaction. */
import { CompiledQuery, PostgresAdapter, PostgresDialect, PostgresDriver, sql } from 'kysely'
import type {
  DatabaseConnection,
  Kysely,
  MigrationLockOptions,
  PostgresDialectConfig,
  TransactionSettings,
} from 'kysely'

/** How long a change of the schema waits for a table, and everybody else behind it. */
const SCHEMA_LOCK_TIMEOUT_MS = 300

/** @param answeredWithinMs how long a transaction may take */
export class BoundedDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig
  readonly #begin: CompiledQuery

  constructor(config: PostgresDialectConfig, answeredWithinMs: number) {
    super(config)
    this.#config = config
    this.#begin = beginBounded(answeredWithinMs)
  }

  override createDriver() {
    return new BoundedDriver(this.#config, this.#begin)
  }

  override createAdapter() {
    return new TransactionLockAdapter()
  }
}

// The server's own bounds, in the same round trip. They are the transaction's: a pooler of transactions passes no
// others on. Of a process that stands still, or is cut off, they end the transaction that would keep rows locked.
function beginBounded(answeredWithinMs: number): CompiledQuery {
  return CompiledQuery.raw(
    `begin; set local statement_timeout = ${Math.floor(answeredWithinMs * 0.9)}; ` +
      // Half of it and less: whoever waits in a circle gives up, and has time to do it again (`retried`).
      `set local lock_timeout = ${Math.floor(answeredWithinMs * 0.4)}; ` +
      `set local idle_in_transaction_session_timeout = ${answeredWithinMs * 2}`,
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

// Kysely's own lock is a session's: a pooler of transactions would leave it with a connection that others use next,
// and every later migration would wait for it. This one ends with the transaction that `migrate` runs in.
class TransactionLockAdapter extends PostgresAdapter {
  override async acquireMigrationLock(
    db: Kysely<Record<string, { id: string }>>,
    { lockTable, lockRowId }: MigrationLockOptions,
  ) {
    await db.selectFrom(lockTable).select('id').where('id', '=', lockRowId).forUpdate().execute()
    // Whoever migrates may take long. But behind a change that waits for a table all others wait who only read it.
    await sql`select set_config('lock_timeout', ${String(SCHEMA_LOCK_TIMEOUT_MS)}, true)`.execute(db)
  }

  override async releaseMigrationLock() {}
}
