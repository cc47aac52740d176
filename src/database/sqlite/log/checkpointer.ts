/**
 * Keeps the write-ahead log small: a thread copies it into the database, and starts it anew while only writes pause
 * (docs/decisions/0040).
 */
import { fstatSync, statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { elapsedMs, later, wait } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { Repeated } from '../../../lib/repeat.ts'
import { fullError, SQLITE_FULL } from '../errors.ts'
import { countFrames } from './log-index.ts'
import { DatabaseLostError } from './log-sync.ts'
import type { FillResult } from './reserve-file.ts'
import type { SpaceReserve } from './space-reserve.ts'
import { Questions, startDatabaseThread } from './worker-threads.ts'

/** Time from a commit until the log is measured. */
const LOOK_MS = 50
/** Time until the next attempt after a checkpoint that failed, or found the disk full. */
const RETRY_MS = 250
/** Of a service that stops, which has ten seconds in all (`main.ts`). */
const LAST_TRIES_MS = 1500
/** While there are commits, how often the files are checked for changes by other programs. */
const CHECK_EVERY_MS = 1000
/** Frames between checkpoints; SQLite's default. */
const CHECKPOINT_FRAMES = 1000
/**
 * How often the log is cleared of old frames, if it has any: they hold what was deleted. To clear it whenever it starts
 * anew would double what is written, because its space is reserved again.
 */
const CLEAR_EVERY_MS = 60_000
/** Frames from which on the log starts anew: 16 MB. Each time delays some writes by three syncs. */
const RESTART_FRAMES = 4000
/** Least time between two pauses while the disk has much space and the log is not long, or while a reader stays. */
const RESTART_EVERY_MS = 1000
/** Factor for what commits add to the log until it is measured again. */
const UNTIL_NEXT_LOOK = 1.25
const MUCH_SPACE_BYTES = 1e9
/** Frames from which on the log is long: 128 MB. */
const LONG_LOG_FRAMES = 32_000
/** Frames that may be left to copy while writes pause. */
const FEW_FRAMES = 100
/** Attempts to leave only few, when writes are faster than the disk. */
const MAX_COPIES = 5
/** Frames of space ahead of the log's end, and frames added at a time. */
const RESERVED_FRAMES = 500
/** Frames of a log that has just started anew. */
const EMPTY_FRAMES = 1
const REPORT_EVERY_MS = 60_000

export type ThreadData = Readonly<{
  path: string
  logDescriptor: number
  fileDescriptor: number
  indexDescriptor: number
  frameBytes: number
}>

/** `reservedBytes`: least size of the log's file. Each task checks that no other program has changed the files. */
export type CheckpointTask = Readonly<{ work: 'check' | 'copy' | 'restart' | 'clear'; reservedBytes: number }>

/** `leftFrames`: not copied into the database yet. `isReserved`: false on a disk with less space than the log needs. */
export type CheckpointResult = Readonly<{ leftFrames: number; isReserved: boolean; reserve: FillResult }>

type Options = ThreadData &
  Readonly<{
    log: Log
    reserve: SpaceReserve
    /** Writes wait until the returned function is called. */
    holdWrites: () => () => void
    onLost: (error: DatabaseLostError) => void
    /** For tests. */
    clearEveryMs?: number | undefined
  }>

type ThreadError = Readonly<{ code?: string; syscall?: string; errcode?: number; message: string }>

export class Checkpointer {
  readonly #options: Options
  readonly #thread: Questions<CheckpointTask, CheckpointResult>
  #cancelLook: (() => void) | undefined
  /** When the log is measured next; `Infinity` when that is not planned. */
  #lookAtMs = Infinity
  /** No earlier look, not even for a commit: set after a failure, and while the reserve is released. */
  #notBeforeMs = 0
  #running: Promise<void> | undefined
  #isClosed = false
  /** Frames at which the next checkpoint begins. */
  #nextAt = CHECKPOINT_FRAMES
  /** By message: on a full disk, its line must not hide that of a reader. */
  readonly #reportedAtMs = new Map<string, number>()
  #checkedAtMs = elapsedMs()
  #clearedAtMs = elapsedMs()
  /** When writes last paused, or the opening. */
  #pausedAtMs = elapsedMs()
  /** Whether frames from before the log last started anew may be behind its end. */
  #hasOldFrames = true
  /** Attempts to start the log anew since the last that succeeded. */
  #failedRestarts = 0
  /** Timer; a commit of another process triggers no look. */
  readonly #clearing: Repeated
  /** Set while the disk has no space for what the log adds to the database, or may have none. */
  #isFull = false

  constructor(options: Options) {
    this.#options = options
    const { path, logDescriptor, fileDescriptor, indexDescriptor, frameBytes } = options
    const data: ThreadData = { path, logDescriptor, fileDescriptor, indexDescriptor, frameBytes }
    this.#thread = new Questions(startDatabaseThread('checkpoint-thread', data))
    this.#clearing = repeat(this.#clearEveryMs, async () => this.#lookIn(0))
    this.#look()
  }

  get #clearEveryMs(): number {
    return this.#options.clearEveryMs ?? CLEAR_EVERY_MS
  }

  /** @throws SQLite's "full": otherwise the log would take all space that is freed, and the database could never grow */
  refuseWhenFull(): void {
    if (this.#isFull) throw fullError()
    if (this.#options.reserve.isReleased) this.#lookIn(LOOK_MS)
    this.#options.reserve.refuseWhileReleased()
  }

  noteCommit(): void {
    this.#lookIn(LOOK_MS)
  }

  /** Call it when the log could not grow: the database gets what is freed first. */
  noteFull(): void {
    this.#isFull = true
    this.#lookIn(LOOK_MS)
  }

  #lookIn(delayMs: number): void {
    const nowMs = elapsedMs()
    const atMs = Math.max(nowMs + delayMs, this.#notBeforeMs)
    if (this.#isClosed || this.#running !== undefined || atMs >= this.#lookAtMs) return
    this.#cancelLook?.()
    this.#lookAtMs = atMs
    this.#cancelLook = later(atMs - nowMs, () => this.#look())
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#cancelLook?.()
    await this.#clearing.stop()
    await this.#running
    await this.#checkLast()
    await this.#thread.close()
  }

  // Before SQLite copies the log into the database and deletes it. To write a deleted one again may wait for a lock.
  async #checkLast(): Promise<void> {
    for (const beganMs = elapsedMs(); ; await wait(LOOK_MS)) {
      try {
        await this.#check()
        return
      } catch (error) {
        this.#noteFailure(error as ThreadError)
        if (isLost(error as ThreadError) || elapsedMs() - beganMs > LAST_TRIES_MS) return
      }
    }
  }

  #look(): void {
    this.#lookAtMs = Infinity
    const frames = this.#frames()
    // The log has started anew.
    if (frames < this.#nextAt - CHECKPOINT_FRAMES) this.#nextAt = CHECKPOINT_FRAMES
    const isShort = fstatSync(this.#options.logDescriptor).size < this.#bytesOf(frames + RESERVED_FRAMES)
    // The reserve may be missing what the old frames of the log take.
    const clearEveryMs = this.#options.reserve.isReleased ? RESTART_EVERY_MS : this.#clearEveryMs
    const isToClear = elapsedMs() - this.#clearedAtMs >= clearEveryMs && (frames > EMPTY_FRAMES || this.#hasOldFrames)
    if (isShort || isToClear || frames >= this.#nextAt || this.#isFull)
      this.#running = this.#run(() => this.#checkpoint(frames, isToClear))
    else if (this.#options.reserve.isReleased || elapsedMs() - this.#checkedAtMs >= CHECK_EVERY_MS)
      this.#running = this.#run(() => this.#check())
  }

  async #run(work: () => Promise<boolean>): Promise<void> {
    let [isReserved, hasFailed] = [false, false]
    try {
      isReserved = await work()
    } catch (error) {
      hasFailed = true
      this.#noteFailure(error as ThreadError)
    }
    this.#running = undefined
    this.#checkedAtMs = elapsedMs()
    const isStuck = hasFailed || this.#options.reserve.isReleased
    this.#notBeforeMs = isStuck ? this.#checkedAtMs + RETRY_MS : 0
    // Commits during the work were not noted. One that follows brings the look forward.
    this.#lookIn(isReserved ? LOOK_MS : RETRY_MS)
  }

  async #check(): Promise<boolean> {
    const { isReserved } = await this.#ask('check')
    return isReserved
  }

  /** Returns false when the disk is full. */
  async #checkpoint(frames: number, isToClear: boolean): Promise<boolean> {
    // Set first, so that a failed attempt is not retried at once.
    if (isToClear) this.#clearedAtMs = elapsedMs()
    this.#nextAt = frames + CHECKPOINT_FRAMES
    const { leftFrames, isReserved } = await this.#ask('copy')
    // A reader keeps the rest in the log. When it ends, the database needs space for it: the log's own is freed later.
    this.#isFull = leftFrames > 0 && this.#bytesOf(leftFrames * UNTIL_NEXT_LOOK + RESERVED_FRAMES) > this.#freeBytes()
    if (!isToClear && !this.#isTimeToRestart(frames, isReserved)) return isReserved
    for (let left = leftFrames, copies = 1; left > FEW_FRAMES && copies < MAX_COPIES; copies += 1) {
      left = (await this.#ask('copy')).leftFrames
    }
    const hasStartedAnew = await this.#restart(isToClear, frames)
    // The old log needs more space than a new one.
    return hasStartedAnew ? isReserved : this.#check()
  }

  async #restart(isToClear: boolean, frames: number): Promise<boolean> {
    const release = this.#options.holdWrites()
    this.#pausedAtMs = elapsedMs()
    let hasStartedAnew = false
    try {
      // Space for the new log, however long the old one was: writes wait for it.
      await this.#ask(isToClear ? 'clear' : 'restart', EMPTY_FRAMES)
      hasStartedAnew = this.#frames() <= EMPTY_FRAMES
    } finally {
      release()
    }
    this.#hasOldFrames = !isToClear || !hasStartedAnew
    this.#failedRestarts = hasStartedAnew ? 0 : this.#failedRestarts + 1
    const pausedMs = Math.round(elapsedMs() - this.#pausedAtMs)
    const what = hasStartedAnew ? 'started anew' : 'could not start anew'
    this.#options.log.debug({ pausedMs, frames }, `the write-ahead log ${what}; writes paused`)
    // A short read is no reason to report.
    if (this.#failedRestarts > 1 && (this.#isFull || frames >= 2 * RESTART_FRAMES)) {
      this.#report('another process keeps reading the database, so the write-ahead log grows; end its transaction')
    }
    return hasStartedAnew
  }

  #isTimeToRestart(frames: number, isReserved: boolean): boolean {
    const isEarly = elapsedMs() - this.#pausedAtMs < RESTART_EVERY_MS
    // While a reader stays, a pause brings nothing.
    if (isEarly && this.#failedRestarts > 1) return false
    // On a full disk the log's own space is all there is.
    if (!isReserved) return frames >= RESERVED_FRAMES
    return frames >= (isEarly && this.#hasMuchSpace() ? LONG_LOG_FRAMES : RESTART_FRAMES)
  }

  // On a small disk a long log would take the space that the database needs.
  #hasMuchSpace(): boolean {
    return this.#freeBytes() >= MUCH_SPACE_BYTES
  }

  #freeBytes(): number {
    const { bavail, bsize } = statfsSync(dirname(this.#options.path))
    return bavail * bsize
  }

  #ask(work: CheckpointTask['work'], frames = this.#frames()): Promise<CheckpointResult> {
    // Added in larger steps than needed.
    const reservedBytes = this.#bytesOf(frames + 2 * RESERVED_FRAMES)
    return this.#options.reserve.observe(() => this.#thread.ask({ work, reservedBytes }))
  }

  #noteFailure(error: ThreadError): void {
    if (error.errcode === SQLITE_FULL) this.#isFull = true
    const what = error.syscall === 'stat' ? 'another program has changed its files' : 'the database could not be synced'
    if (isLost(error)) this.#options.onLost(new DatabaseLostError(what, error))
    else this.#report('the write-ahead log could not be checkpointed', error)
  }

  #report(message: string, error?: ThreadError): void {
    if (elapsedMs() - (this.#reportedAtMs.get(message) ?? -REPORT_EVERY_MS) < REPORT_EVERY_MS) return
    this.#reportedAtMs.set(message, elapsedMs())
    const logBytes = this.#bytesOf(this.#frames())
    const why = error && { code: error.errcode ?? error.code, cause: error.message }
    this.#options.log.warn({ logBytes, ...why }, message)
  }

  #bytesOf(frames: number): number {
    return frames * this.#options.frameBytes
  }

  #frames(): number {
    return countFrames(this.#options.indexDescriptor)
  }
}

/** SQLITE_IOERR_FSYNC, SQLITE_IOERR_DIR_FSYNC; a thread that ended may have failed in a sync. */
function isLost({ syscall, errcode }: ThreadError): boolean {
  if (errcode !== undefined) return errcode === 1034 || errcode === 1290
  return syscall === undefined || ['fsync', 'fdatasync', 'stat'].includes(syscall)
}
