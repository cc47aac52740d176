/** Seeded pseudo-random numbers, so that a seeded database is reproducible. */
import { createCipheriv, createHash } from 'node:crypto'
import type { Random } from '../src/lib/random.ts'

/** For test data only, never for secrets. */
export type SeededRandom = Pick<Random, 'bytes'> &
  Readonly<{
    /** In [0, 1). */
    fraction(): number
    /** @param often the probability, from 0 to 1 */
    happens(often: number): boolean
    uuid(atMs: number): string
    /** In the form of a stored SHA-256. */
    hash(): string
  }>

const POOL_BYTES = 64 * 1024

/** Equal seeds give equal sequences. */
export function seededRandom(seed: number): SeededRandom {
  const key = createHash('sha256').update(`paylink-auth seed ${seed}`).digest()
  // A cipher's key stream is the fastest source of uniform bytes.
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
