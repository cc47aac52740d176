import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'
import type { TransactionMisuseError } from '../database.ts'
import type { SqliteDriver } from './driver.ts'

/** A Kysely connection: one statement outside of transactions, or one transaction. */
export class Session implements DatabaseConnection {
  readonly #driver: SqliteDriver
  ended = Promise.withResolvers<void>()
  /** Set when the driver has aborted its transaction. */
  misuse: TransactionMisuseError | undefined

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#driver.execute(this, query)
  }

  // eslint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('the embedded database does not support streaming; read in pages')
  }
}
