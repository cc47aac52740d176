/** The data folder on disk: readable by its owner only, and home of the secret a first local start makes. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { Random } from './random.ts'

/** Makes what was written to a file, or which files a folder has, outlast a power cut. */
export function flush(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } catch (error) {
    // Some file systems, of other machines for example, know no such thing of a folder.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
  } finally {
    closeSync(file)
  }
}

/** Whether an error of `linkSync` says that the file system has no links, or gives none of this file. */
export function hasNoLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Makes the folder and its parents where they are missing, for its owner only (mode 0700). */
export function ensureFolder(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) ensureFolder(parent)
  try {
    // Not recursive: where a parent is there and takes no folder (/proc), that form never ends.
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have made it since we looked.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/**
 * The secret kept in `FOLDER/jwt-secret`; made on the first call, mode 0600.
 * Two processes that start at once end with the same one: linking into place fails for the second.
 */
export function keptSecret(folder: string, random: Random): string {
  const path = join(folder, 'jwt-secret')
  return readIfThere(path) ?? makeSecret(folder, path, random)
}

function makeSecret(folder: string, path: string, random: Random): string {
  ensureFolder(folder)
  const draft = `${path}.${random.uuid()}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${random.bytes(48).toString('base64url')}\n`)
    fsyncSync(file)
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(file)
    unlinkSync(draft)
  }
  return readFileSync(path, 'utf8').trim()
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
