/** Reads the index of the write-ahead log, `FILE-shm`, and the log's header (sqlite.org/walformat.html, fileformat2.html). */
import { readSync } from 'node:fs'

const INDEX_HEADER_BYTES = 48
/** mxFrame. */
const FRAME_COUNT_OFFSET = 16
/** The same eight bytes in both headers; others each time the log starts anew. */
const INDEX_SALT_OFFSET = 32
const LOG_SALT_OFFSET = 16
const SALT_BYTES = 8
/** Before the log's first frame. */
export const LOG_HEADER_BYTES = 32

/** @param indexDescriptor open for as long as the database: closing it would release SQLite's locks */
export function countFrames(indexDescriptor: number): number {
  return frameCountOf(read(indexDescriptor, INDEX_HEADER_BYTES, 0))
}

/**
 * Whether another program has emptied or overwritten the log, while the index still knows its frames. Its size does not
 * tell: the next commit writes behind the frames that are lost.
 */
export function isLogLost(indexDescriptor: number, logDescriptor: number): boolean {
  const header = read(indexDescriptor, INDEX_HEADER_BYTES, 0)
  // An empty log may have an old header, or none.
  if (frameCountOf(header) === 0) return false
  const salt = header.subarray(INDEX_SALT_OFFSET, INDEX_SALT_OFFSET + SALT_BYTES)
  if (salt.equals(read(logDescriptor, SALT_BYTES, LOG_SALT_OFFSET))) return false
  // Unless it started anew, or SQLite truncated it, between the two: the index changes first.
  return header.equals(read(indexDescriptor, INDEX_HEADER_BYTES, 0))
}

function read(descriptor: number, length: number, from: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(descriptor, bytes, 0, length, from)
  return bytes
}

// In the machine's byte order.
const frameCountOf = (header: Buffer): number =>
  new Uint32Array(header.buffer, header.byteOffset + FRAME_COUNT_OFFSET, 1)[0] ?? 0
