import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { TransactionMisuseError } from '../database.ts'

interface Executor {
  execute(session: Session, query: CompiledQuery): Promise<QueryResult<never>>
}

/** A Kysely connection: one statement outside of transactions, or one transaction. */
export class Session implements DatabaseConnection {
  readonly #driver: Executor
  /** Its transaction may use the space that is reserved for revocations. */
  readonly isRevocation: boolean
  ended = Promise.withResolvers<void>()
  /** Set when the driver has aborted its transaction. */
  misuse: TransactionMisuseError | undefined
  /** Whether its transaction can be undone alone: see `CommitGroup`. */
  hasSavepoint = false
  /** Whether its transaction has changed anything. */
  hasChanged = false

  constructor(driver: Executor, isRevocation = false) {
    this.#driver = driver
    this.isRevocation = isRevocation
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#driver.execute(this, query)
  }

  // eslint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('the embedded database does not support streaming; read in pages')
  }
}
