/** A small file system of its own, to test a full disk for real. */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, statfsSync, statSync, truncateSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder, temporaryFolderOnDisk } from '../files.ts'

export type SmallDisk = Readonly<{
  path: string
  /** Fills the disk except for `leftKib`. */
  fill(leftKib?: number): void
  /** Frees what `fill` took, or only `kib` of it. */
  free(kib?: number): void
  roomBytes(): number
  remove(): void
}>

/** Reason why no file system can be mounted here, for `skip`; `false`: it can. */
export const cannotMount: string | false = (() => {
  try {
    mountSmallDisk(1).remove()
    return false
  } catch {
    return 'mounting takes root'
  }
})()

export function mountSmallDisk(sizeMib: number): SmallDisk {
  const folder = temporaryFolder()
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${sizeMib}m`, 'tmpfs', folder.path], { stdio: 'pipe' })
  } catch (error) {
    folder.remove()
    throw error
  }
  const path = join(folder.path, 'service')
  mkdirSync(path)
  const ballast = join(folder.path, 'ballast')
  const roomBytes = () => {
    const { bavail, bsize } = statfsSync(folder.path)
    return bavail * bsize
  }
  // The watcher's standard input closes when this process ends, even by a kill.
  const watcher = spawn('/bin/sh', ['-c', `cat >/dev/null; umount --lazy ${folder.path} && rmdir ${folder.path}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  watcher.unref()
  ;(watcher.stdin as Socket).unref()
  return {
    path,
    fill(leftKib = 0) {
      const file = openSync(ballast, 'a')
      try {
        for (let room = roomBytes(); room > leftKib * 1024; room = roomBytes()) {
          writeSync(file, Buffer.alloc(Math.min(room - leftKib * 1024, 1024 * 1024)))
        }
      } catch (error) {
        // The service took the rest meanwhile, for its log.
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: (kib = Infinity) => truncateSync(ballast, Math.max(0, statSync(ballast).size - kib * 1024)),
    roomBytes,
    remove() {
      watcher.kill('SIGKILL')
      execFileSync('umount', ['--lazy', folder.path])
      folder.remove()
    },
  }
}

/** While `act` runs, nobody can write these files, even through open descriptors, as on a failed disk. */
export async function withUnwritableFiles<T>(files: readonly string[], act: () => Promise<T>): Promise<T> {
  execFileSync('chattr', ['+i', ...files])
  try {
    return await act()
  } finally {
    execFileSync('chattr', ['-i', ...files])
  }
}

/** Reason why files cannot be made unwritable here, for `skip`; `false`: they can. */
export const cannotForbidWriting: string | false = (() => {
  const folder = temporaryFolderOnDisk()
  const file = openSync(join(folder.path, 'file'), 'w')
  try {
    execFileSync('chattr', ['+i', join(folder.path, 'file')], { stdio: 'pipe' })
    try {
      writeSync(file, 'x')
      return 'the file system of temporary files goes on writing what is immutable'
    } catch {
      return false
    } finally {
      execFileSync('chattr', ['-i', join(folder.path, 'file')])
    }
  } catch {
    return 'making files immutable takes root'
  } finally {
    closeSync(file)
    folder.remove()
  }
})()
