import type { DatabaseSync } from 'node:sqlite'

/**
 * One SQLite transaction shared by all transactions of one turn of the event loop, each a savepoint in it. A page that
 * several of them change is written to the log once. Saves half of the processor time of two inserts
 * (docs/decisions/0040).
 */
export class CommitGroup {
  /** Whether its turn is over: it ends with the transaction that is open. */
  isDue = false
  readonly #file: DatabaseSync
  readonly #durable = Promise.withResolvers<void>()

  /** @throws SQLite's "busy" while another process holds the write lock */
  constructor(file: DatabaseSync) {
    file.exec('BEGIN IMMEDIATE')
    this.#file = file
    // Rolled back transactions do not await it.
    this.#durable.promise.catch(() => {})
  }

  /** Resolves when it is committed and synced. */
  get durable(): Promise<void> {
    return this.#durable.promise
  }

  /** @param sync resolves when the commit is on disk */
  commit(sync: () => Promise<void> | undefined): void {
    try {
      this.#file.exec('COMMIT')
      this.#durable.resolve(sync())
    } catch (error) {
      if (this.#file.isTransaction) this.#file.exec('ROLLBACK')
      this.#durable.reject(error)
    }
  }

  fail(error: unknown): void {
    this.#durable.reject(error)
  }
}
