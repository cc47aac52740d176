/** Brings the write-ahead log to the disk on the thread pool, so that a commit does not wait on the event loop. */
import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { immediately } from '../../lib/clock.ts'

const sync = (descriptor: number) => promisify(fdatasync)(descriptor)

/** The log could not be synced: whether the last commits are on disk is known only after the file is opened again. */
class LogSyncError extends Error {
  /** SQLITE_IOERR_FSYNC, as SQLite's own sync would have failed. */
  readonly errcode = 1034

  constructor(cause: unknown) {
    super('the write-ahead log could not be synced; restart the service', { cause })
    this.name = 'LogSyncError'
  }
}

/** The syncs of one write-ahead log. */
export class LogSync {
  readonly #descriptor: number
  /** The sync under way: it may have begun before the newest commit. */
  #running: Promise<void> | undefined
  /** The sync that has not begun, and is shared by all commits until it does. */
  #next: Promise<void> | undefined
  #failure: LogSyncError | undefined

  /** @param path the log, `FILE-wal` */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r+')
  }

  /**
   * Resolves when everything committed before this call is on disk.
   * @throws {LogSyncError} after one sync has failed, always: the kernel drops the pages it could not write, and
   * reports success the next time
   */
  async synced(): Promise<void> {
    this.#next ??= this.#begin(this.#running)
    return this.#next
  }

  /** @throws {LogSyncError} when a sync has failed */
  refuseAfterFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Waits for the syncs that were asked for, and closes the log. */
  async close(): Promise<void> {
    await Promise.allSettled([this.#running, this.#next])
    closeSync(this.#descriptor)
  }

  async #begin(running: Promise<void> | undefined): Promise<void> {
    // The other commits of this turn of the event loop join.
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
      // Nothing else began meanwhile: the next one waits for this one.
      this.#running = undefined
    }
  }
}
