/** Numbers that look random and are the same again for the same seed, so that a seeded database can be made once more. */
import { createCipheriv, createHash } from 'node:crypto'
import type { Random } from '../src/lib/random.ts'

/** Randomness of a seed: fit for test data, never for a secret that protects something. */
export type SeededRandom = Pick<Random, 'bytes'> &
  Readonly<{
    /** From 0 up to, and without, 1. */
    fraction(): number
    /** Whether something happens that does so often. */
    happens(often: number): boolean
    /** A UUIDv7 of this time. */
    uuid(atMs: number): string
    /** What a SHA-256 looks like in the database. */
    hash(): string
  }>

const POOL_BYTES = 64 * 1024

/** Begins a sequence: two of one seed are alike. */
export function seededRandom(seed: number): SeededRandom {
  const key = createHash('sha256').update(`paylink-auth seed ${seed}`).digest()
  // A key stream is the quickest source of even bytes there is.
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  const zeros = Buffer.alloc(POOL_BYTES)
  let pool = stream.update(zeros)
  let used = 0

  function bytes(length: number): Buffer {
    if (used + length > POOL_BYTES) {
      pool = stream.update(zeros)
      used = 0
    }
    used += length
    return pool.subarray(used - length, used)
  }

  const fraction = () => bytes(4).readUInt32LE() / 2 ** 32

  return {
    bytes,
    fraction,
    happens: (often) => fraction() < often,
    uuid(atMs) {
      const time = atMs.toString(16).padStart(12, '0')
      const rest = bytes(10).toString('hex')
      const variant = '89ab'[Number.parseInt(rest.slice(3, 4), 16) % 4]
      return `${time.slice(0, 8)}-${time.slice(8)}-7${rest.slice(0, 3)}-${variant}${rest.slice(4, 7)}-${rest.slice(7, 19)}`
    },
    hash: () => bytes(32).toString('hex'),
  }
}
