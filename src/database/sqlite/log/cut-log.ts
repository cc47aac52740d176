/** A write-ahead log that lacks what was copied from it (sqlite.org/walformat.html, fileformat2.html#walformat). */
import { closeSync, openSync, readSync } from 'node:fs'
import {
  COPIED_COUNT_OFFSET,
  FRAME_SALT_OFFSET,
  INDEX_SALT_OFFSET,
  LOG_HEADER_BYTES,
  LOG_SALT_OFFSET,
  SALT_BYTES,
} from './log-index.ts'

const INDEX_BYTES = COPIED_COUNT_OFFSET + 4
/** For checksums of words in the order of bytes that this and nearly every machine has. */
const MAGIC = 0x377f_0682
const PAGE_SIZE_OFFSET = 8
const PAGE_SIZES = new Set([512, 1024, 2048, 4096, 8192, 16_384, 32_768, 65_536])
const FRAME_HEADER_BYTES = 24
/** In the header of the log. */
const HEADER_CHECKSUM_OFFSET = 24
/** In the header of a frame. The size is 0 unless a commit ends with the frame. */
const SIZE_AFTER_COMMIT_OFFSET = 4
const FRAME_CHECKSUM_OFFSET = 16

/**
 * Whether the log ends, or is damaged, before the last frame that is in the database: SQLite would copy the older frames
 * over newer pages, which damages the database and undoes revocations. Only for as long as `PATH-shm` is the one of the
 * process that wrote the log; SQLite forgets how much was copied when it opens them. A copy that was interrupted is not
 * counted.
 */
export function isCutLog(path: string): boolean {
  const index = readStart(`${path}-shm`, INDEX_BYTES)
  if (index === undefined) return false
  const copied = index.readUInt32LE(COPIED_COUNT_OFFSET)
  const salt = index.subarray(INDEX_SALT_OFFSET, INDEX_SALT_OFFSET + SALT_BYTES)
  const isCut = copied > 0 && hasFewerFrames(`${path}-wal`, copied, salt)
  // Unless another process has started the log anew meanwhile.
  return isCut && readStart(`${path}-shm`, INDEX_BYTES)?.equals(index) === true
}

/** False also for a log that SQLite ignores: without a commit, or with another header. */
function hasFewerFrames(path: string, least: number, salt: Buffer): boolean {
  const descriptor = openIfThere(path)
  if (descriptor === undefined) return false
  try {
    const header = Buffer.alloc(LOG_HEADER_BYTES)
    readSync(descriptor, header, 0, header.length, 0)
    if (header.readUInt32BE() !== MAGIC || !saltAt(header, LOG_SALT_OFFSET).equals(salt)) return false
    const pageBytes = header.readUInt32BE(PAGE_SIZE_OFFSET)
    if (!PAGE_SIZES.has(pageBytes)) return false
    const frame = Buffer.alloc(FRAME_HEADER_BYTES + pageBytes)
    let sums = checksumAt(header, HEADER_CHECKSUM_OFFSET)
    let hasCommit = false
    for (let count = 0; count < least; count += 1) {
      const read = readSync(descriptor, frame, 0, frame.length, LOG_HEADER_BYTES + count * frame.length)
      sums = addTo(addTo(sums, frame.subarray(0, FRAME_SALT_OFFSET)), frame.subarray(FRAME_HEADER_BYTES))
      const isWhole = read === frame.length && saltAt(frame, FRAME_SALT_OFFSET).equals(salt)
      const [one, two] = checksumAt(frame, FRAME_CHECKSUM_OFFSET)
      if (!isWhole || one !== sums[0] || two !== sums[1]) return hasCommit
      hasCommit ||= frame.readUInt32BE(SIZE_AFTER_COMMIT_OFFSET) > 0
    }
    return false
  } finally {
    closeSync(descriptor)
  }
}

type Checksum = readonly [number, number]

const saltAt = (header: Buffer, from: number) => header.subarray(from, from + SALT_BYTES)
const checksumAt = (header: Buffer, from: number): Checksum => [header.readInt32BE(from), header.readInt32BE(from + 4)]

function addTo([first, second]: Checksum, bytes: Buffer): Checksum {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  let [one, two] = [first, second]
  for (let at = 0; at < words.length; at += 2) {
    one = (one + (words[at] ?? 0) + two) | 0
    two = (two + (words[at + 1] ?? 0) + one) | 0
  }
  return [one, two]
}

/** `undefined` for a file that is missing or shorter. */
function readStart(path: string, length: number): Buffer | undefined {
  const descriptor = openIfThere(path)
  if (descriptor === undefined) return undefined
  try {
    const bytes = Buffer.alloc(length)
    return readSync(descriptor, bytes, 0, length, 0) === length ? bytes : undefined
  } finally {
    closeSync(descriptor)
  }
}

function openIfThere(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
