import { createHmac, hash, timingSafeEqual } from 'node:crypto'

/** SHA-256 as lower-case hexadecimal. For random secrets, not for passwords. */
export function sha256(text: string): string {
  return hash('sha256', text)
}

/** Compares two SHA-256 hashes in constant time. */
export function sameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'))
}

/** The `kid` of an HMAC secret: the first 8 base64url characters of HMAC-SHA-256(secret, "kid"). */
export function keyIdOfSecret(secret: string): string {
  return createHmac('sha256', secret).update('kid').digest('base64url').slice(0, 8)
}
