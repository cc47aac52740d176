/** Lets revocations succeed on a full disk, and refuses other writes until the reserve is whole again. */
import { statfsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { elapsedMs } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import type { Space } from '../../database.ts'
import { fullError, isSqliteFull } from '../errors.ts'
import { releaseSlice, reserveStateOf } from './reserve-file.ts'
import type { FillResult } from './reserve-file.ts'

const REPORT_EVERY_MS = 60_000
/** Time after a refused write for which the disk counts as full, if nothing is written meanwhile. */
const FULL_FOR_MS = 60_000

export class SpaceReserve {
  readonly #path: string
  readonly #log: Log | undefined
  #isReleased: boolean
  #releases = 0
  #refusedAtMs = -Infinity
  #reportedAtMs = -Infinity
  #errorAtMs = -Infinity

  /** @param path of the database */
  constructor(path: string, log?: Log) {
    this.#path = path
    this.#log = log
    this.#isReleased = reserveStateOf(path) === 'released'
  }

  /** Whether a part of it was released: what is free now is for revocations. */
  get isReleased(): boolean {
    return this.#isReleased
  }

  /** @throws SQLite's "full" */
  refuseWhileReleased(): void {
    if (this.#isReleased) throw fullError()
  }

  /** Runs a write other than a revocation. */
  async write<T>(run: () => Promise<T>): Promise<T> {
    try {
      const done = await run()
      this.#refusedAtMs = -Infinity
      return done
    } catch (error) {
      if (isSqliteFull(error)) this.#noteFull()
      throw error
    }
  }

  /** Runs a revocation, again after each release of a slice while the disk is full. */
  async revoke<T>(run: () => Promise<T>): Promise<T> {
    let isLastTry = false
    for (;;) {
      const releases = this.#releases
      try {
        return await run()
      } catch (error) {
        if (!isSqliteFull(error) || isLastTry) throw error
        // Another revocation may have released one meanwhile. Without any left, it may have failed because of a larger
        // write that shared its commit.
        if (releases === this.#releases) isLastTry = !this.#release()
      }
    }
  }

  /** Releases a slice; false when there is none left. */
  #release(): boolean {
    this.#noteFull()
    if (!releaseSlice(this.#path)) return false
    this.#isReleased = true
    this.#releases += 1
    return true
  }

  /** Applies the thread's reading of the file, unless a slice was released meanwhile. */
  async observe<T extends Readonly<{ reserve: FillResult }>>(run: () => Promise<T>): Promise<T> {
    const releases = this.#releases
    const seen = await run()
    if (releases === this.#releases) this.#note(seen.reserve)
    return seen
  }

  // Writes are accepted after an error: the disk has space, and refusing them would not mend the reserve.
  #note(state: FillResult): void {
    if (typeof state === 'object') this.#reportError(state)
    const wasReleased = this.#isReleased
    this.#isReleased = state === 'released'
    if (!wasReleased || this.#isReleased) return
    this.#refusedAtMs = -Infinity
    this.#log?.info('the disk has space again: writes are accepted')
  }

  #reportError(error: object): void {
    const nowMs = elapsedMs()
    if (nowMs - this.#errorAtMs < REPORT_EVERY_MS) return
    this.#errorAtMs = nowMs
    this.#log?.warn(error, 'the space for revocations could not be reserved')
  }

  #noteFull(): void {
    const nowMs = elapsedMs()
    this.#refusedAtMs = nowMs
    if (nowMs - this.#reportedAtMs < REPORT_EVERY_MS) return
    this.#reportedAtMs = nowMs
    const { bavail, bsize } = statfsSync(dirname(this.#path))
    const left = `no space left: free ${Math.floor((bavail * bsize) / 1e6)} MB in ${dirname(this.#path)}`
    const logBytes = statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size
    const reserve = reserveStateOf(this.#path)
    const also = reserve === 'absent' ? ', and without a reserve revocations too' : ', except for revocations'
    this.#log?.error({ reserve, logBytes }, `${left}; writes are refused${also}`)
  }

  async space(): Promise<Space> {
    const { bavail, bsize } = await statfs(dirname(this.#path))
    const isFull = this.#isReleased || elapsedMs() - this.#refusedAtMs < FULL_FOR_MS
    return { freeBytes: bavail * bsize, isReserveWhole: reserveStateOf(this.#path) === 'whole', isFull }
  }
}
