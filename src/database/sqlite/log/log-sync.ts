/** Shares syncs of the write-ahead log: commits that arrive during one wait for the next. */
import { immediately } from '../../../lib/clock.ts'

/** The database can acknowledge nothing more. Only the next start, which checkpoints the whole log, is safe. */
export class DatabaseLostError extends Error {
  /** SQLITE_IOERR_FSYNC, as for a failed sync of SQLite itself. */
  readonly errcode = 1034

  /** @param cause has a message, but is no `Error` when it comes from a thread */
  constructor(what: string, cause: unknown) {
    super(`${what}: ${(cause as Error).message}`, { cause })
    this.name = 'DatabaseLostError'
  }
}

export class LogSync {
  readonly #sync: () => Promise<void>
  readonly #onFailure: (error: DatabaseLostError) => void
  /** The sync in progress; it may have started before the newest commit. */
  #running: Promise<void> | undefined
  /** The sync that has not started, shared by all commits until it does. */
  #next: Promise<void> | undefined
  #failure: DatabaseLostError | undefined
  #commits = 0
  /** Of `commits`, those that the sync in progress covers, and those on disk. */
  #covered = 0
  #durable = 0
  /** The last commit that changed access. */
  #lastAccess = 0

  /**
   * @param sync called for one sync at a time
   * @param onFailure called once
   */
  constructor(sync: () => Promise<void>, onFailure: (error: DatabaseLostError) => void) {
    this.#sync = sync
    this.#onFailure = onFailure
  }

  /**
   * Resolves when everything committed before this call is on disk.
   * @param changesAccess whether the commit changes access (`access-changes.ts`)
   * @throws {DatabaseLostError} for ever after one failure: the kernel drops pages that it could not write, and reports
   * success the next time
   */
  async synced(changesAccess: boolean): Promise<void> {
    this.#commits += 1
    if (changesAccess) this.#lastAccess = this.#commits
    this.#next ??= this.#begin(this.#running)
    return this.#next
  }

  /** Number of commits so far. */
  get commits(): number {
    return this.#commits
  }

  /**
   * The sync that makes the first `commits` durable; it rejects for ever after a failure. Undefined: they are durable.
   */
  pending(commits: number): Promise<void> | undefined {
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    if (commits <= this.#durable) return undefined
    return commits <= this.#covered ? this.#running : this.#next
  }

  /** As `pending`, for the last commit that changed access. */
  pendingAccess(): Promise<void> | undefined {
    return this.pending(this.#lastAccess)
  }

  /** @throws {DatabaseLostError} when a sync has failed */
  refuseAfterFailure(): void {
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Ends all acknowledgements. */
  fail(error: DatabaseLostError): void {
    if (this.#failure !== undefined) return
    this.#failure = error
    this.#onFailure(error)
  }

  /** Resolves when no sync is in progress. */
  async idle(): Promise<void> {
    await Promise.allSettled([this.#running, this.#next])
  }

  async #begin(running: Promise<void> | undefined): Promise<void> {
    // Other commits of this turn of the event loop join.
    if (running === undefined) await new Promise<void>((resolve) => immediately(resolve))
    else await Promise.allSettled([running])
    this.#running = this.#next
    this.#next = undefined
    this.#covered = this.#commits
    try {
      this.refuseAfterFailure()
      await this.#sync()
      // A checkpoint may have failed meanwhile.
      this.refuseAfterFailure()
      this.#durable = this.#covered
    } catch (error) {
      this.fail(new DatabaseLostError('the write-ahead log could not be synced', error))
      throw this.#failure ?? error
    } finally {
      // No other sync can have started: the next one waits for this one.
      this.#running = undefined
    }
  }
}
