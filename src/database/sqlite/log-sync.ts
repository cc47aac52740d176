/** Syncs the write-ahead log on the thread pool, so that commits do not block the event loop. */
import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { immediately } from '../../lib/clock.ts'

const sync = (descriptor: number) => promisify(fdatasync)(descriptor)

/** After a failed sync, only reopening the file shows whether the last commits are on disk. */
class LogSyncError extends Error {
  /** SQLITE_IOERR_FSYNC, as for a failed sync of SQLite itself. */
  readonly errcode = 1034

  constructor(cause: unknown) {
    super('the write-ahead log could not be synced; restart the service', { cause })
    this.name = 'LogSyncError'
  }
}

export class LogSync {
  readonly #descriptor: number
  /** The sync in progress; it may have started before the newest commit. */
  #running: Promise<void> | undefined
  /** The sync that has not started, shared by all commits until it does. */
  #next: Promise<void> | undefined
  #failure: LogSyncError | undefined

  /** @param path `FILE-wal` */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r+')
  }

  /**
   * Resolves when everything committed before this call is on disk.
   * @throws {LogSyncError} for ever after one failure: the kernel drops pages that it could not write, and reports
   * success the next time
   */
  async synced(): Promise<void> {
    this.#next ??= this.#begin(this.#running)
    return this.#next
  }

  /** @throws {LogSyncError} when a sync has failed */
  refuseAfterFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#running, this.#next])
    closeSync(this.#descriptor)
  }

  async #begin(running: Promise<void> | undefined): Promise<void> {
    // Other commits of this turn of the event loop join.
    if (running === undefined) await new Promise<void>((resolve) => immediately(resolve))
    else await Promise.allSettled([running])
    this.#running = this.#next
    this.#next = undefined
    this.refuseAfterFailure()
    try {
      await sync(this.#descriptor)
    } catch (error) {
      throw (this.#failure = new LogSyncError(error))
    } finally {
      // No other sync can have started: the next one waits for this one.
      this.#running = undefined
    }
  }
}
