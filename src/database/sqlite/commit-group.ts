import type { DatabaseSync } from 'node:sqlite'
import { RunAgainError } from '../database.ts'

/**
 * One SQLite transaction shared by all transactions of one turn of the event loop. A page that several of them change is
 * written to the log once. Saves half of the processor time of two inserts. A savepoint for each would cost a quarter of
 * it, and few have to be undone: then all of the group run again (docs/decisions/0040).
 */
export class CommitGroup {
  /** Whether its turn is over: it ends with the transaction that is open. */
  isDue = false
  /** Whether transactions have ended in it. */
  hasMembers = false
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

  /**
   * @param sync resolves when the commit is on disk
   * @returns the error with which it failed
   */
  commit(sync: () => Promise<void> | undefined): unknown {
    try {
      this.#file.exec('COMMIT')
      this.#durable.resolve(sync())
    } catch (error) {
      this.#durable.reject(error)
      if (this.#file.isTransaction) this.#file.exec('ROLLBACK')
      return error
    }
    return undefined
  }

  /**
   * Undoes everything; its members run again.
   * @param sync resolves when what they have read is on disk
   */
  rollBack(sync: () => Promise<void> | undefined): void {
    this.#file.exec('ROLLBACK')
    if (this.hasMembers) this.#durable.reject(new RunAgainError())
    else this.#durable.resolve(sync())
  }

  fail(error: unknown): void {
    this.#durable.reject(error)
  }
}
