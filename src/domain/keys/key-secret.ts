/** The format of API keys: scanners recognise ids and secrets, and a checksum detects typing errors. */
import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '../../lib/random.ts'
import type { Random } from '../../lib/random.ts'

const KEY_ID = /^plk_[0-9A-Za-z]{22}$/
const SECRET = /^pls_[0-9A-Za-z]{49}$/
const CHECKSUM_LENGTH = 6

/** `plk_` and 22 base62 characters (131 bits). */
export function newKeyId(random: Pick<Random, 'bytes'>): string {
  return `plk_${randomBase62(random, 22)}`
}

/** In place of a key id, for the access of an app, which no secret belongs to. */
export function newAppKeyId(random: Pick<Random, 'bytes'>): string {
  return `app_${randomBase62(random, 22)}`
}

/** `pls_`, 43 base62 characters (256 bits) and a checksum of 6. */
export function newKeySecret(random: Pick<Random, 'bytes'>): string {
  const unchecked = `pls_${randomBase62(random, 43)}`
  return unchecked + checksum(unchecked)
}

/** Checks the format only, not whether such a key exists. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text)
}

/** Checks the format and the checksum, not whether the secret is live. */
export function isKeySecret(text: string): boolean {
  return SECRET.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))
}

// CRC-32 of all characters before it, including the prefix, in base62.
function checksum(unchecked: string): string {
  return toBase62(crc32(unchecked), CHECKSUM_LENGTH)
}
