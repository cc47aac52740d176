/** A file system of a few MiB of its own, to fill up and to make room on: what a full disk does, for real. */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, statfsSync, truncateSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '../files.ts'

/** One that is mounted. */
export type SmallDisk = Readonly<{
  /** A folder on it. */
  path: string
  /** Takes all the room there is, but for so many KiB. */
  fill(leftKib?: number): void
  /** Gives back what `fill` took. */
  empty(): void
  /** How many bytes may be written. */
  roomBytes(): number
  remove(): void
}>

/** Why no file system can be mounted here, for `skip`; `false`: one can be. */
export const cannotMount: string | false = (() => {
  try {
    mountSmallDisk(1).remove()
    return false
  } catch {
    return 'mounting takes root'
  }
})()

/** Mounts one. */
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
  // Its standard input ends when this process does, however that comes.
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
      } finally {
        closeSync(file)
      }
    },
    empty: () => truncateSync(ballast, 0),
    roomBytes,
    remove() {
      watcher.kill('SIGKILL')
      execFileSync('umount', ['--lazy', folder.path])
      folder.remove()
    },
  }
}

/** While `act` runs, nobody can write these files, also not who has them open: as on a disk that failed. */
export async function withUnwritableFiles<T>(files: readonly string[], act: () => Promise<T>): Promise<T> {
  execFileSync('chattr', ['+i', ...files])
  try {
    return await act()
  } finally {
    execFileSync('chattr', ['-i', ...files])
  }
}

/** Why files cannot be made unwritable here, for `skip`; `false`: they can be. */
export const cannotForbidWriting: string | false = (() => {
  const folder = temporaryFolder()
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
