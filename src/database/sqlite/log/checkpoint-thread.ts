/** Checkpoints the write-ahead log on connections of its own, so that neither syncs nor copies block the event loop. */
import { fdatasyncSync, fstatSync, ftruncateSync, openSync, statfsSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { isSqliteBusy, isSqliteFull } from '../errors.ts'
import type { CheckpointResult, CheckpointTask, ThreadData } from './checkpointer.ts'
import { LOG_HEADER_BYTES } from './log-index.ts'
import { watchFiles } from './own-files.ts'
import { fillReserve, KEPT_FOR_REVOCATIONS_BYTES, releaseSlice } from './reserve-file.ts'
import type { FillResult } from './reserve-file.ts'
import type { Reply } from './worker-threads.ts'

/** How long a restart of the log, during which writes pause, waits for another process's write lock. */
const LOCK_TIMEOUT_MS = 50
const CHUNK = Buffer.alloc(64 * 1024)

const { path, fileDescriptor, frameBytes } = workerData as ThreadData
const checkpointing = open()
const holding = open()
const reserving = openSync(`${path}-wal`, 'a')
const requireOwnFiles = watchFiles({ ...(workerData as ThreadData), reserving, holding })

// eslint-disable-next-line unicorn/require-post-message-target-origin -- not a window
parentPort?.on('message', (task: CheckpointTask) => parentPort?.postMessage(answer(task)))

function open(): DatabaseSync {
  const file = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS })
  // NORMAL: SQLite syncs in checkpoints and when the log starts anew.
  file.exec(
    'PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA trusted_schema = OFF; PRAGMA secure_delete = ON',
  )
  return file
}

function answer(task: CheckpointTask): Reply<CheckpointResult> {
  try {
    requireOwnFiles()
    const work = { check: () => 0, copy: checkpoint, restart, clear }[task.work]
    const leftFrames = withSpaceForDatabase(work, task.reservedBytes)
    // Again: space that is added to a log that was truncated would be read as pages of zeros.
    requireOwnFiles()
    // Last: on a full disk the database comes first, because the log can only start anew when it is copied.
    const isReserved = reserve(task.reservedBytes)
    return { done: { leftFrames, isReserved, reserve: fill() } }
  } catch (error) {
    const { code, syscall, errcode, message } = error as NodeJS.ErrnoException & { errcode?: number }
    return { failed: { code, syscall, errcode, message } }
  }
}

// Thrown, an error of the reserve would keep the log from starting anew.
function fill(): FillResult {
  try {
    return fillReserve(path)
  } catch (error) {
    const { code, message: cause } = error as NodeJS.ErrnoException
    return { code, cause }
  }
}

// A complete checkpoint would make the next commit start the log anew, and sync its header, on the event loop. So a
// read transaction keeps the log from starting anew until it has a further frame.
function checkpoint(): number {
  holding.exec('BEGIN; SELECT 1 FROM sqlite_schema')
  try {
    const leftFrames = copy()
    if (leftFrames === 0) unlessBusy(() => writeFrame(checkpointing))
    return leftFrames
  } finally {
    holding.exec('COMMIT')
    // Leaves little to sync to a later checkpoint, which SQLite syncs only when it is complete.
    fdatasyncSync(fileDescriptor)
  }
}

/** The event loop does not write meanwhile. */
function restart(): number {
  const isLocked = unlessBusy(() => holding.exec('BEGIN IMMEDIATE'))
  if (!isLocked) return checkpoint()
  let leftFrames: number
  try {
    leftFrames = copy()
  } finally {
    holding.exec('ROLLBACK')
  }
  // This writes and syncs the new log's header.
  if (leftFrames === 0) unlessBusy(() => writeFrame(holding))
  return leftFrames
}

/**
 * Starts the log anew and cuts what the new one does not use: its frames hold what was deleted since, and a log that
 * grew gives its space back. SQLite does so in the commit that starts the log anew, when no reader needs the old one.
 */
function clear(): number {
  holding.exec('PRAGMA journal_size_limit = 0')
  try {
    return restart()
  } finally {
    holding.exec('PRAGMA journal_size_limit = -1')
  }
}

/** On a full disk the database gets the space that a log which was longer still has, and then a part of the reserve. */
function withSpaceForDatabase(work: () => number, reservedBytes: number): number {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return work()
    } catch (error) {
      if (!isSqliteFull(error)) throw error
      requireOwnFiles()
      // Once, because writers may lengthen the log again and again; the slices end.
      const hasCut = isFirst && hasCutOldFrames(reservedBytes)
      if (!hasCut && !releaseSlice(path, KEPT_FOR_REVOCATIONS_BYTES)) throw error
    }
  }
}

/**
 * Cuts what is behind the log's end, except for `reservedBytes` in all. No reader needs it: SQLite starts the log anew
 * only when none does. Nobody writes there meanwhile, because that takes the write lock.
 */
function hasCutOldFrames(reservedBytes: number): boolean {
  try {
    return unlessBusy(() => holding.exec('BEGIN IMMEDIATE')) && cutUnderLock(reservedBytes)
  } catch {
    // On some file systems that takes space too. Nothing is lost: the disk stays full.
    return false
  }
}

function cutUnderLock(reservedBytes: number): boolean {
  try {
    // Only counts. On the connection without a transaction, because SQLite refuses it in one.
    const counted = checkpointing.prepare('PRAGMA wal_checkpoint(NOOP)').get() as { busy: number; log: number }
    if (counted.busy !== 0 || counted.log < 0) return false
    const keptBytes = Math.max(reservedBytes, LOG_HEADER_BYTES + counted.log * frameBytes)
    const isLonger = fstatSync(reserving).size > keptBytes
    if (isLonger) ftruncateSync(reserving, keptBytes)
    return isLonger
  } finally {
    holding.exec('ROLLBACK')
  }
}

/** Returns how many frames are not copied yet. */
function copy(): number {
  const row = checkpointing.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() as { log: number; checkpointed: number }
  return row.log - row.checkpointed
}

// Nothing uses the field; writing its own value is a change of a page.
const writeFrame = (file: DatabaseSync): void => file.exec('PRAGMA user_version = 0')

function unlessBusy(work: () => void): boolean {
  try {
    work()
    return true
  } catch (error) {
    if (!isSqliteBusy(error)) throw error
    return false
  }
}

/**
 * Extends the log with zeros, which SQLite ignores, so that a full disk is noticed by a write and not by a sync. The
 * descriptor appends: what a commit writes meanwhile is never overwritten. Returns false on a disk with less space than
 * the log needs, also when the log has its own; writes find out when they need more.
 */
function reserve(bytes: number): boolean {
  try {
    let size = fstatSync(reserving).size
    // The database may need as much as the log has, to be copied.
    const { bavail, bsize } = statfsSync(dirname(path))
    if (bavail * bsize < Math.max(0, bytes - size) + bytes) return false
    if (size >= bytes) return true
    while (size < bytes) size += writeSync(reserving, CHUNK)
  } catch (error) {
    if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')) return false
    throw error
  }
  fdatasyncSync(reserving)
  return true
}
