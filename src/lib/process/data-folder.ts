/** The data folder: readable by its owner only; holds the generated signing secret. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lchownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Random } from '../random.ts'

/** Syncs a file, or the entries of a folder, to disk. */
export function flush(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } catch (error) {
    // Some file systems, such as network ones, cannot sync a folder.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error
  } finally {
    closeSync(file)
  }
}

/** Whether `linkSync` failed because the file system does not support links, or not for this file. */
export function lacksHardLinks(error: unknown): boolean {
  return ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Creates the folder and missing parents with mode 0700. */
export function ensureFolder(path: string): void {
  if (isFolder(path)) return
  const parent = dirname(path)
  if (parent !== path) ensureFolder(parent)
  try {
    // Not `recursive`: below a parent that accepts no folders (/proc), that mode never returns.
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it meanwhile.
    if (!isFolder(path)) throw error
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Whether root owns a file in another user's folder: the service does not run as root, and cannot open it. */
export function isRootsInFolderOfAnother(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.uid === 0 && statSync(dirname(path)).uid !== 0
}

/** Gives a file created by root to the folder's owner. Others keep theirs. */
export function matchFolderOwner(path: string): void {
  if (process.getuid?.() !== 0 || !isRootsInFolderOfAnother(path)) return
  // Not what a link names, hard or symbolic: the folder's owner could make root give away any file.
  if (lstatSync(path).nlink > 1) return
  const { uid, gid } = statSync(dirname(path))
  lchownSync(path, uid, gid)
}

/**
 * Reads `FOLDER/jwt-secret`; the first call creates it with mode 0600. Of two processes that start at once, both end
 * with the same secret: `linkSync` fails for the second.
 */
export function readOrCreateSecret(folder: string, random: Random): string {
  const path = join(folder, 'jwt-secret')
  return readIfExists(path) ?? makeSecret(folder, path, random)
}

function makeSecret(folder: string, path: string, random: Random): string {
  ensureFolder(folder)
  const draft = `${path}.${random.uuid()}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeSync(file, `${random.bytes(48).toString('base64url')}\n`)
    fsyncSync(file)
    matchFolderOwner(draft)
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    closeSync(file)
    unlinkSync(draft)
  }
  return readFileSync(path, 'utf8').trim()
}

function readIfExists(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** Linux follows as many. */
const MAX_LINKS = 40

/** Resolves links, also to a missing file, so that every name of a database uses the same lock. */
export function realPathOf(path: string, maxLinks = MAX_LINKS): string {
  if (existsSync(path)) return realpathSync(path)
  const folder = dirname(resolve(path))
  const file = existsSync(folder) ? join(realpathSync(folder), basename(path)) : path
  const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
  return isLink && maxLinks > 0 ? realPathOf(resolve(dirname(file), readlinkSync(file)), maxLinks - 1) : file
}
