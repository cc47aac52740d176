/** The form of API keys: ids and secrets that a scanner recognises and that a typing error cannot pass. */
import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '../../lib/random.ts'
import type { Random } from '../../lib/random.ts'

const KEY_ID = /^plk_[0-9A-Za-z]{22}$/
const SECRET = /^pls_[0-9A-Za-z]{49}$/
const CHECKSUM_LENGTH = 6

/** A new public credential id: `plk_` and 22 base62 characters (131 bits). */
export function newKeyId(random: Pick<Random, 'bytes'>): string {
  return `plk_${randomBase62(random, 22)}`
}

/** A new secret: `pls_`, 43 base62 characters (256 bits) and 6 of checksum. */
export function newKeySecret(random: Pick<Random, 'bytes'>): string {
  const unchecked = `pls_${randomBase62(random, 43)}`
  return unchecked + checksum(unchecked)
}

/** Whether a text has the form of a public credential id. Says nothing about there being such a key. */
export function isKeyId(text: string): boolean {
  return KEY_ID.test(text)
}

/** Whether a text has the form and the checksum of a secret of ours. Says nothing about its being live. */
export function isKeySecret(text: string): boolean {
  return SECRET.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))
}

// CRC-32 of everything before it, prefix included, in base62.
function checksum(unchecked: string): string {
  return toBase62(crc32(unchecked), CHECKSUM_LENGTH)
}
