/** Brings the write-ahead log to the disk on the thread pool, so that a commit does not wait on the event loop. */
import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { immediately } from '../../lib/clock.ts'

const sync = promisify(fdatasync)

/** The syncs of one write-ahead log. */
export class LogSync {
  readonly #descriptor: number
  /** The sync under way: it may have begun before the newest commit. */
  #running: Promise<void> | undefined
  /** The sync that has not begun, and is shared by all commits until it does. */
  #next: Promise<void> | undefined
  #failure: unknown

  /** @param path the log, `FILE-wal` */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r+')
  }

  /**
   * Resolves when everything committed before this call is on disk.
   * @throws the error of a failed sync, for ever: the kernel drops the pages it could not write and reports success
   * the next time, so that only opening the database again tells what is there
   */
  async synced(): Promise<void> {
    this.#next ??= this.#begin(this.#running)
    return this.#next
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
    if (this.#failure !== undefined) throw this.#failure
    try {
      await sync(this.#descriptor)
    } catch (error) {
      this.#failure = error
      throw error
    } finally {
      // Nothing else began meanwhile: the next one waits for this one.
      this.#running = undefined
    }
  }
}
