/** Hand-made access tokens: valid, or wrong in exactly one part. */
import { createHmac } from 'node:crypto'
import type { Config } from '../../../src/config/settings.ts'
import { keyIdOfSecret } from '../../../src/lib/hash.ts'

/** Base64url of the value's JSON, or of the given bytes. */
export function segment(content: unknown): string {
  const bytes = content instanceof Uint8Array ? content : JSON.stringify(content)
  return Buffer.from(bytes as Uint8Array).toString('base64url')
}

/** The header and payload segments with a matching MAC. */
export function signed(header: string, payload: string, secret: string, hash = 'sha256'): string {
  const mac = createHmac(hash, secret).update(`${header}.${payload}`).digest('base64url')
  return `${header}.${payload}.${mac}`
}

/** The parts of a token, so that a test can change one. */
export type Parts = Readonly<{
  header: Record<string, unknown>
  claims: Record<string, unknown>
  secret: string
}>

export function rightParts(config: Config, userId: string, nowMs: number): Parts {
  const iat = Math.floor(nowMs / 1000)
  return {
    header: { alg: 'HS256', typ: 'JWT', kid: keyIdOfSecret(config.jwtSecret) },
    claims: {
      iss: config.publicUrl,
      sub: userId,
      aud: config.baseUrl,
      iat,
      exp: iat + 600,
      jti: 'made-by-hand',
      role: 'USER',
      tokenVersion: 0,
      amr: ['magic_link'],
    },
    secret: config.jwtSecret,
  }
}

/** The token of these parts; an `undefined` claim or header field is left out. */
export function mint({ header, claims, secret }: Parts): string {
  return signed(segment(header), segment(claims), secret)
}

export function read(token: string): Pick<Parts, 'header' | 'claims'> {
  const [header, claims] = token
    .split('.', 2)
    .map((text) => JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
  return { header, claims }
}
