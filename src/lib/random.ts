/** The only source of randomness: the operating system's CSPRNG. */
import { randomBytes, randomUUID } from 'node:crypto'
import { v7 } from 'uuid'

export type Random = Readonly<{
  bytes(length: number): Buffer
  /** A UUIDv7 (RFC 9562): ordered by time, so that new rows go to the end of an index. */
  uuid(): string
  /** A UUIDv4 (RFC 9562), for values without an index: much cheaper. */
  plainUuid(): string
}>

export const systemRandom: Random = {
  bytes: (length) => randomBytes(length),
  uuid: () => v7(),
  plainUuid: () => randomUUID(),
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Uniformly distributed. Bytes from 248 are rejected, because 256 is not a multiple of 62. */
export function randomBase62(random: Pick<Random, 'bytes'>, length: number): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

/** @param length padded with zeros to this many characters */
export function toBase62(value: number, length: number): string {
  let text = ''
  for (let rest = value; text.length < length; rest = Math.floor(rest / 62)) {
    text = BASE62[rest % 62] + text
  }
  return text
}
