/** The files of the embedded database while a service has it open: notices changes by other programs (decision 0040). */
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { flush } from '../../../lib/process/data-folder.ts'
import type { ThreadData } from './checkpointer.ts'
import { countFrames, LOG_HEADER_BYTES, watchLog } from './log-index.ts'
import { isDiskFull, releaseSlice } from './reserve-file.ts'

const CHUNK_BYTES = 64 * 1024

/**
 * @param files `reserving`: a second descriptor of the log; `holding`: a connection that takes the write lock for good
 * when the log must be written again
 * @returns a check. It throws when another program deleted or replaced a file: what is written since is in none that the
 * next start opens, or other processes lock in another index; or when it emptied or cut the log, which has the newest
 * pages. A log that was deleted is written again first.
 */
export function watchFiles({
  path,
  fileDescriptor,
  logDescriptor,
  indexDescriptor,
  frameBytes,
  reserving,
  holding,
}: ThreadData & Readonly<{ reserving: number; holding: DatabaseSync }>): () => void {
  const log = `${path}-wal`
  const logAgain = `${log}-again`
  const isLogLost = watchLog({ indexDescriptor, logDescriptor, frameBytes })
  // What a kill left of it has personal data.
  rmSync(logAgain, { force: true })

  // A command that only reads leaves an empty log in its place.
  function isLogDeleted(): boolean {
    const found = find(log)
    return found === undefined || (found.size === 0 && found.ino !== fstatSync(logDescriptor).ino)
  }

  /**
   * Writes a log that was deleted once more, and keeps the write lock: a later commit would be in no file. Not into the
   * database: while another process reads, only some of the pages could be copied, and the file would be damaged.
   * @throws always; an error of a full disk or of another's write lock, after which it is tried again
   */
  function rewriteLog(): never {
    for (let isWritten = false; !isWritten;) {
      try {
        if (!holding.isTransaction) holding.exec('BEGIN IMMEDIATE')
        writeCopyOfLog()
        isWritten = true
      } catch (error) {
        if (isDiskFull(error) && releaseSlice(path)) continue
        ;(error as Error).message = `${log} was deleted, and cannot be written again yet: ${(error as Error).message}`
        throw error
      }
    }
    throw changedError(
      `${log} was deleted, and has been written again: nothing is lost, unless another program has the database open: end it with kill -9 before the next start`,
    )
  }

  function writeCopyOfLog(): void {
    const file = openSync(logAgain, 'w', 0o600)
    try {
      const chunk = Buffer.alloc(CHUNK_BYTES)
      const end = LOG_HEADER_BYTES + countFrames(indexDescriptor) * frameBytes
      for (let at = 0; at < end;) {
        const length = readSync(logDescriptor, chunk, 0, Math.min(chunk.length, end - at), at)
        if (length === 0) throw new Error('it was cut meanwhile')
        for (let written = 0; written < length;) written += writeSync(file, chunk, written, length - written)
        at += length
      }
      fdatasyncSync(file)
      renameSync(logAgain, log)
    } catch (error) {
      rmSync(logAgain)
      throw error
    } finally {
      closeSync(file)
    }
    flush(dirname(path))
  }

  return () => {
    // First, so that no log is written where an operator who moved everything puts another database.
    requireOwn(path, fileDescriptor)
    if (isLogLost())
      throw changedError(`${log} was emptied, cut or overwritten, and the writes that were only there are lost`)
    // Before its index, which is often deleted with it.
    if (isLogDeleted()) rewriteLog()
    requireOwn(`${path}-shm`, indexDescriptor)
    for (const descriptor of [logDescriptor, reserving]) requireOwn(log, descriptor)
  }
}

// Does not follow links: `path` is none. A command would follow one to a log and a lock of its own.
const find = (name: string) => lstatSync(name, { throwIfNoEntry: false })

function requireOwn(name: string, descriptor: number): void {
  const found = find(name)
  const kept = fstatSync(descriptor)
  if (found?.dev === kept.dev && found.ino === kept.ino) return
  throw changedError(`${name} was deleted or replaced`)
}

const changedError = (message: string): Error => Object.assign(new Error(message), { syscall: 'stat' })
