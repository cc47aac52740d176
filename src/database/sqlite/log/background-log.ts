/** The write-ahead log of a service: commits are synced, and the log is checkpointed, on threads (docs/decisions/0040). */
import { AsyncLocalStorage } from 'node:async_hooks'
import { closeSync, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Log } from '../../../lib/log.ts'
import type { PendingSync } from '../../database.ts'
import { Checkpointer } from './checkpointer.ts'
import { isSqliteFull } from '../errors.ts'
import { LogSync } from './log-sync.ts'
import type { DatabaseLostError } from './log-sync.ts'
import type { SpaceReserve } from './space-reserve.ts'
import { watchAccessChanges } from './access-changes.ts'
import type { AccessChanges } from './access-changes.ts'
import { Questions, startDatabaseThread } from './worker-threads.ts'

const FRAME_HEADER_BYTES = 24

export type Background = Readonly<{
  log: Log
  /** Called once, when a sync has failed: end the process. */
  onLost(error: DatabaseLostError): void
  /** For tests: replaces the thread that syncs the log. */
  sync?: () => Promise<void>
  /** For tests: how often the log is cleared of deleted data. */
  clearEveryMs?: number
}>

/** Open until the file is closed: closing any descriptor of the database or its index releases SQLite's locks. */
type Descriptors = Readonly<{ logDescriptor: number; indexDescriptor: number; fileDescriptor: number }>

export class BackgroundLog {
  readonly #descriptors: Descriptors
  readonly #syncThread: Questions<null, undefined> | undefined
  readonly #logSync: LogSync
  readonly #checkpointer: Checkpointer
  readonly #accessChanges: AccessChanges
  /** By request: of the commits so far, how many it may have read. */
  readonly #seen = new AsyncLocalStorage<{ commits: number }>()

  /**
   * Makes everything in the log durable before it returns.
   * @param file a connection with the log in use, which has written nothing
   * @param holdWrites makes writes wait until the returned function is called
   * @throws SQLite's or the platform's error when the log cannot be checkpointed
   */
  constructor(
    path: string,
    file: DatabaseSync,
    { log, onLost, sync, clearEveryMs }: Background,
    reserve: SpaceReserve,
    holdWrites: () => () => void,
  ) {
    const logDescriptor = openSync(`${path}-wal`, 'r+')
    makeDurable(file, logDescriptor)
    file.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA busy_timeout = 0')
    const descriptors = {
      logDescriptor,
      indexDescriptor: openSync(`${path}-shm`, 'r'),
      fileDescriptor: openSync(path, 'r'),
    }
    this.#descriptors = descriptors
    this.#accessChanges = watchAccessChanges(file)
    const { page_size: pageBytes } = file.prepare('PRAGMA page_size').get() as { page_size: number }
    const frameBytes = pageBytes + FRAME_HEADER_BYTES
    if (sync === undefined)
      this.#syncThread = new Questions(startDatabaseThread('sync-thread', { descriptor: logDescriptor }))
    this.#logSync = new LogSync(sync ?? (() => this.#syncThread?.ask(null) ?? Promise.resolve()), onLost)
    const onFailedSync = (error: DatabaseLostError) => this.#logSync.fail(error)
    this.#checkpointer = new Checkpointer({
      ...descriptors,
      path,
      frameBytes,
      log,
      reserve,
      holdWrites,
      onLost: onFailedSync,
      clearEveryMs,
    })
  }

  /** Resolves when everything committed before this call is on disk. */
  committed(): Promise<void> {
    this.#checkpointer.noteCommit()
    return this.#logSync.synced(this.#accessChanges.takeChange())
  }

  /** @throws SQLite's "full" while the database cannot grow, or what is free is for revocations */
  refuseWhenFull(): void {
    this.#checkpointer.refuseWhenFull()
  }

  noteFull(): void {
    this.#checkpointer.noteFull()
  }

  /** Runs a request; `pendingSync` then waits for those commits only that its reads may have found. */
  noteReads(run: () => void): void {
    this.#seen.run({ commits: this.#logSync.commits }, run)
  }

  get isNoting(): boolean {
    return this.#seen.getStore() !== undefined
  }

  noteRead(): void {
    const seen = this.#seen.getStore()
    if (seen !== undefined) seen.commits = this.#logSync.commits
  }

  /** Undefined: everything that was read is on disk. */
  pendingSync(of: PendingSync): Promise<void> | undefined {
    if (of === 'access') return this.#logSync.pendingAccess()
    return this.#logSync.pending(this.#seen.getStore()?.commits ?? this.#logSync.commits)
  }

  /** @throws {DatabaseLostError} when a sync has failed */
  refuseAfterFailure(): void {
    this.#logSync.refuseAfterFailure()
  }

  /** Call it before the file is closed. */
  async close(): Promise<void> {
    await this.#logSync.idle()
    await this.#checkpointer.close()
    await this.#syncThread?.close()
  }

  /** Call it after the file is closed. */
  closeDescriptors(): void {
    for (const descriptor of Object.values(this.#descriptors)) closeSync(descriptor)
  }
}

/**
 * The process that wrote this log may have ended because a sync failed. The kernel still holds the pages that never
 * reached the disk, but reports success for the next sync. So everything is written again: into the database, or in
 * place if another process uses the log or the disk is full.
 */
function makeDurable(file: DatabaseSync, logDescriptor: number): void {
  // Other processes' transactions may delay the start.
  file.exec('PRAGMA busy_timeout = 1000')
  if (isCheckpointed(file)) return
  file.exec('PRAGMA busy_timeout = 5000; BEGIN IMMEDIATE')
  try {
    const chunk = Buffer.alloc(1024 * 1024)
    const { size } = fstatSync(logDescriptor)
    for (let at = 0; at < size;) {
      const read = readSync(logDescriptor, chunk, 0, Math.min(chunk.length, size - at), at)
      for (let written = 0; written < read;) {
        written += writeSync(logDescriptor, chunk, written, read - written, at + written)
      }
      at += read
    }
    fdatasyncSync(logDescriptor)
  } finally {
    file.exec('ROLLBACK')
  }
}

function isCheckpointed(file: DatabaseSync): boolean {
  try {
    const { busy } = file.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() as { busy: number }
    return busy === 0
  } catch (error) {
    if (isSqliteFull(error)) return false
    throw error
  }
}
