/**
 * `FILE-reserve`: space beside the database that only revocations may take, a slice at a time (docs/decisions/0047), and
 * half of it the copy of the log: otherwise a log that has taken the whole disk could never start anew. A file shorter
 * than `RESERVE_BYTES` was partly released; an absent one was never filled.
 */
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { matchFolderOwner } from '../../../lib/process/data-folder.ts'
import { systemRandom } from '../../../lib/random.ts'

const RESERVE_BYTES = 8 * 1024 * 1024
/** What the copy of the log leaves to revocations. */
export const KEPT_FOR_REVOCATIONS_BYTES = RESERVE_BYTES / 2
/** A competing writer can take at most one slice per revocation. */
const SLICE_BYTES = 256 * 1024
/** Space that must be left when the file is made or filled up. */
const MARGIN_BYTES = 4 * 1024 * 1024

/** `absent`: there was never space for it. */
export type ReserveState = 'whole' | 'released' | 'absent'

/** After an attempt to make it whole; an object: why it failed although the disk has the space. */
export type FillResult = ReserveState | Readonly<{ code: string | undefined; cause: string }>

const pathOf = (databasePath: string): string => `${databasePath}-reserve`

export function reserveStateOf(databasePath: string): ReserveState {
  const found = statSync(pathOf(databasePath), { throwIfNoEntry: false })
  if (found === undefined) return 'absent'
  return found.size >= RESERVE_BYTES ? 'whole' : 'released'
}

/**
 * Gives a slice back to the disk; false when there is none left. Any process may do this.
 * @param keptBytes not given back
 */
export function releaseSlice(databasePath: string, keptBytes = 0): boolean {
  const path = pathOf(databasePath)
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size <= keptBytes) return false
  truncateSync(path, Math.max(0, size - SLICE_BYTES))
  return true
}

/** Makes it whole where the disk has the space. For a thread: it blocks. */
export function fillReserve(databasePath: string): ReserveState {
  const before = reserveStateOf(databasePath)
  if (before === 'whole') return before
  const path = pathOf(databasePath)
  const { bavail, bsize } = statfsSync(dirname(databasePath))
  const missing = RESERVE_BYTES - (statSync(path, { throwIfNoEntry: false })?.size ?? 0)
  if (bavail * bsize < missing + MARGIN_BYTES) return before
  const file = openSync(path, 'a', 0o600)
  try {
    matchFolderOwner(path)
    // Random, because a file system that compresses would reserve nothing for zeros.
    const chunk = systemRandom.bytes(SLICE_BYTES)
    while (fstatSync(file).size < RESERVE_BYTES) writeSync(file, chunk)
    fdatasyncSync(file)
    return 'whole'
  } catch (error) {
    if (!isDiskFull(error)) throw error
    if (before === 'absent') rmSync(path)
    return before
  } finally {
    closeSync(file)
  }
}

/** Of a call of the file system; SQLite has its own code. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '')
