/** Randomness: the one place it comes from, always the operating system's CSPRNG. */
import { randomBytes, randomUUID } from 'node:crypto'
import { v7 } from 'uuid'

/** The source of randomness everything else is given. */
export type Random = Readonly<{
  /** That many unpredictable bytes. */
  bytes(length: number): Buffer
  /** A UUIDv7 (RFC 9562): ordered by time, so that new rows land at the end of an index. */
  uuid(): string
  /** A UUIDv4 (RFC 9562), for what is in no index: it costs next to nothing. */
  plainUuid(): string
}>

/** The operating system's CSPRNG. */
export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  uuid: () => v7(),
  plainUuid: () => randomUUID(),
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Uniform base62 text: bytes of 248 and more are thrown away, since 256 is no multiple of 62. */
export function randomBase62(random: Pick<Random, 'bytes'>, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

/** A non-negative integer in base62, padded with zeros to `length` characters. */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) {
    text = BASE62[rest % 62] + text
  }
  return text
}
