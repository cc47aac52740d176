/** Hand-made ID tokens, valid except for one part, submitted by every endpoint that takes one. */
import assert from 'node:assert/strict'
import { createHmac, sign as signBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { ErrorCode } from '../../../src/errors.ts'
import { sha256 } from '../../../src/lib/hash.ts'
import { assertError } from '../http/answers.ts'
import type { Answer } from '../http/call.ts'
import { comeBack, startFlow, useCredential } from './google.ts'
import type { GoogleService } from './google.ts'
import type { Issuer, IssuerKey } from './issuer.ts'
import { assertNothingHappens } from '../database/state.ts'
import { segment } from '../accounts/tokens.ts'

type Fields = Record<string, unknown>

export type Signer = (input: string) => Buffer

/** Makes a token from the claims that would be valid. */
export type Forgery = (right: Fields) => string

/** An RSA or ECDSA signer with this hash. */
export const by =
  (privateKey: KeyObject, hash: string | null = 'sha256', options: object = {}): Signer =>
  (input) =>
    signBytes(hash, Buffer.from(input), { key: privateKey, ...options })

/** An HMAC signer, for tests of key confusion. */
export const hmacSigner =
  (secret: string | Buffer, hash = 'sha256'): Signer =>
  (input) =>
    createHmac(hash, secret).update(input).digest()

/** A token with any JSON value or raw bytes as header and payload. */
export function tokenOf(header: unknown, payload: unknown, signer: Signer): string {
  const input = `${segment(header)}.${segment(payload)}`
  return `${input}.${signer(input).toString('base64url')}`
}

/** The issuer's token header with changes; `undefined` removes a field. */
export function headerOf({ keys: [key] }: Issuer, changes: Fields = {}): Fields {
  return { alg: 'RS256', typ: 'JWT', kid: key?.jwk['kid'], ...changes }
}

export function keyOf({ keys: [key] }: Issuer): IssuerKey {
  return key ?? assert.fail('the issuer has no key')
}

/** A correctly signed token with these claims changed; `undefined` removes a claim. */
export const withClaims =
  (issuer: Issuer, changes: Fields): Forgery =>
  (right) =>
    issuer.sign({ ...right, ...changes })

/** A correctly signed token with these header fields changed. */
export const withHeader =
  (issuer: Issuer, changes: Fields): Forgery =>
  (right) =>
    issuer.sign(right, changes)

const ways = {
  'One Tap': (service: GoogleService, forgery: Forgery): Promise<Answer> =>
    useCredential(service, forgery(service.issuer.claims())),

  async callback(service: GoogleService, forgery: Forgery): Promise<Answer> {
    const { state, nonce, jar } = await startFlow(service)
    service.issuer.idToken = forgery(service.issuer.claims({ nonce }))
    const answer = await comeBack(service, jar, { code: 'code-of-the-test', state })
    assert.equal(jar.cookies.size, 0, 'no cookie is left')
    // A refused callback leaves exactly this row, by design.
    await service.db.query.deleteFrom('spent_credentials').where('hash', '=', sha256(state)).execute()
    return answer
  },
} as const

export type Way = keyof typeof ways

export const bothWays = Object.keys(ways) as Way[]

/** Asserts that none of these tokens signs anyone in or changes anything, by either way. */
export async function assertRefused(
  service: GoogleService,
  forgeries: Readonly<Record<string, Forgery>>,
  { code = 'GOOGLE_CREDENTIAL_INVALID', through = bothWays }: Readonly<{ code?: ErrorCode; through?: Way[] }> = {},
): Promise<void> {
  for (const way of through) {
    await assertNothingHappens(service, async () => {
      for (const [name, forgery] of Object.entries(forgeries)) {
        const answer = await ways[way](service, forgery)
        assert.equal(answer.body?.error?.code, code, `${way}, ${name}: ${answer.text}`)
        assertError(answer, code)
      }
    })
  }
}

/** Asserts that each of these tokens signs in, by either way. */
export async function assertAccepted(
  service: GoogleService,
  forgeries: Readonly<Record<string, Forgery>>,
  through = bothWays,
): Promise<void> {
  for (const way of through) {
    for (const [name, forgery] of Object.entries(forgeries)) {
      const answer = await ways[way](service, forgery)
      assert.equal(answer.status, 200, `${way}, ${name}: ${answer.text}`)
    }
  }
}
