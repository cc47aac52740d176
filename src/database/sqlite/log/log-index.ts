/** Reads the index of the write-ahead log, `FILE-shm`, and the log's header (sqlite.org/walformat.html, fileformat2.html). */
import { fstatSync, readSync } from 'node:fs'

const INDEX_HEADER_BYTES = 48
/** mxFrame. */
const FRAME_COUNT_OFFSET = 16
/** The same eight bytes in both headers and before each frame; others each time the log starts anew. */
export const INDEX_SALT_OFFSET = 32
export const LOG_SALT_OFFSET = 16
export const FRAME_SALT_OFFSET = 8
export const SALT_BYTES = 8
/** nBackfill: frames that are in the database. */
export const COPIED_COUNT_OFFSET = 96
/** Before the log's first frame. */
export const LOG_HEADER_BYTES = 32

/** @param indexDescriptor open for as long as the database: closing it would release SQLite's locks */
export function countFrames(indexDescriptor: number): number {
  return frameCountOf(read(indexDescriptor, INDEX_HEADER_BYTES, 0))
}

/** @param frameBytes of a frame with its header */
export type LogFiles = Readonly<{ indexDescriptor: number; logDescriptor: number; frameBytes: number }>

/**
 * The returned function tells whether another program has emptied, cut or overwritten the log, while the index still knows
 * its frames. The log's size does not tell: the next commit writes behind the frames that are lost. So the header of each
 * new frame is looked at, and the newest frame of the last call as a whole. What goes unnoticed is a cut through the page
 * of a frame behind it that is no longer the newest.
 */
export function watchLog({ indexDescriptor, logDescriptor, frameBytes }: LogFiles): () => boolean {
  let known: Readonly<{ salt?: Buffer; frames: number; newest: Buffer }> = { frames: 0, newest: Buffer.alloc(0) }

  const placeOf = (frame: number) => LOG_HEADER_BYTES + (frame - 1) * frameBytes
  const isAt = (place: number, expected: Buffer) => read(logDescriptor, expected.length, place).equals(expected)

  function isWhole(salt: Buffer, frames: number): boolean {
    if (fstatSync(logDescriptor).size < placeOf(frames + 1) || !isAt(LOG_SALT_OFFSET, salt)) return false
    const isSameLog = known.salt?.equals(salt) ?? false
    // SQLite changes no frame of a commit, until the log starts anew.
    if (isSameLog && (frames < known.frames || !isAt(placeOf(known.frames), known.newest))) return false
    for (let frame = isSameLog ? known.frames + 1 : 1; frame <= frames; frame += 1) {
      if (!isAt(placeOf(frame) + FRAME_SALT_OFFSET, salt)) return false
    }
    return true
  }

  return () => {
    const header = read(indexDescriptor, INDEX_HEADER_BYTES, 0)
    const frames = frameCountOf(header)
    // An empty log may have an old header, or none.
    if (frames === 0) return false
    const salt = header.subarray(INDEX_SALT_OFFSET, INDEX_SALT_OFFSET + SALT_BYTES)
    // Read first: one that is cut afterwards is not kept as whole.
    const newest = read(logDescriptor, frameBytes, placeOf(frames))
    if (isWhole(salt, frames)) {
      known = { salt, frames, newest }
      return false
    }
    // Unless it started anew, or SQLite truncated it, between the two: the index changes first.
    return header.equals(read(indexDescriptor, INDEX_HEADER_BYTES, 0))
  }
}

function read(descriptor: number, length: number, from: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(descriptor, bytes, 0, length, from)
  return bytes
}

// In the machine's byte order.
const frameCountOf = (header: Buffer): number =>
  new Uint32Array(header.buffer, header.byteOffset + FRAME_COUNT_OFFSET, 1)[0] ?? 0
