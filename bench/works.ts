/** The works that are measured, as the requests that ask for them. */
import { randomBytes } from 'node:crypto'
import { apiKeyId, digits, keyId, linkToken, ROTATION, userId } from './tables.ts'
import { createAccessTokens } from '../src/domain/sign-in/access-token.ts'
import type { AccessTokens } from '../src/domain/sign-in/access-token.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { systemClock } from '../src/lib/clock.ts'
import { toBase62, systemRandom } from '../src/lib/random.ts'
import { crc32 } from 'node:zlib'

/** Signs the tokens of all who understand those of the service; another one in every run. */
export const JWT_SECRET = randomBytes(36).toString('base64')
/** Where those believe to be reached. */
export const PUBLIC_URL = 'https://pay.example.com'

/** The works, and what each is. */
export const works = {
  'protected-one': 'protected call, one token',
  protected: 'protected call, 1,000 tokens in rotation',
  exchange: 'key exchange, 1,000 keys in rotation',
  'link-request': 'link request, durable',
  'link-verify': 'link verify, durable',
  signup: 'signup, durable',
} as const

/** A work's name. */
export type Work = keyof typeof works

/**
 * One request. `{n}` in it stands for a number of eight digits that is another one in every request.
 * `status` is what a good answer has.
 */
export type Call = Readonly<{
  method: 'GET' | 'POST'
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string
  status: number
}>

/** What asks a contestant for its works, taken in turn; and what it must refuse. */
export type Calls = Readonly<{
  works: Readonly<Partial<Record<Work, readonly Call[]>>>
  /** By what is wrong with each, with the status of the refusal. */
  refused: Readonly<Record<string, Call>>
}>

/** The secret of a key of the rotation, with its checksum. */
export function secretOf(n: number): string {
  const unchecked = `pls_${'s'.repeat(35)}${digits(n)}`
  return unchecked + toBase62(crc32(unchecked), 6)
}

const json = { 'content-type': 'application/json' }
const exchangeOf = (id: string, secret: string, status: number): Call => ({
  method: 'POST',
  path: '/api/v1/auth/api/token',
  headers: json,
  body: JSON.stringify({ keyId: id, keySecret: secret }),
  status,
})

const protectedCall = (token: string, status = 200): Call => ({
  method: 'GET',
  path: '/api/v1/users/me',
  headers: { authorization: `Bearer ${token}` },
  status,
})

function issuer(): AccessTokens {
  const environment = { JWT_SECRET, PUBLIC_URL, SMTP_URL: 'smtp://127.0.0.1:1' }
  return createAccessTokens(
    loadConfig(environment, () => JWT_SECRET),
    systemClock,
    systemRandom,
  )
}

/**
 * The calls of everybody who has the service's interface.
 * @param secret of a key of the rotation
 */
export function ownCalls(secret: (n: number) => string = secretOf): Calls {
  const tokens = issuer()
  const tokenOf = (n: number) =>
    tokens.issue({
      userId: userId(n),
      role: 'USER',
      tokenVersion: 0,
      amr: 'api_key',
      apiKeyId: apiKeyId(n),
      lifetimeSeconds: 24 * 3600,
    })
  const rotation = Array.from({ length: ROTATION }, (_, n) => n)
  // The claims of one token under the signature of another.
  const forged = tokenOf(0).replace(/[^.]*$/, tokenOf(1).split('.')[2] ?? '')
  return {
    works: {
      'protected-one': [protectedCall(tokenOf(0))],
      protected: rotation.map((n) => protectedCall(tokenOf(n))),
      exchange: rotation.map((n) => exchangeOf(keyId(n), secret(n), 200)),
      'link-request': [
        {
          method: 'POST',
          path: '/api/v1/auth/request',
          headers: json,
          body: '{"email":"new-{n}@example.com"}',
          status: 200,
        },
      ],
      'link-verify': [{ method: 'GET', path: `/api/v1/auth/verify?token=${linkToken('{n}')}`, status: 200 }],
      signup: [
        {
          method: 'POST',
          path: '/api/v1/auth/api/signup',
          headers: json,
          body: '{"email":"program-{n}@example.com"}',
          status: 201,
        },
      ],
    },
    refused: {
      'no token': { method: 'GET', path: '/api/v1/users/me', status: 401 },
      'a forged token': protectedCall(forged, 401),
      'a token of before the sign-out': protectedCall(tokenOf(ROTATION), 401),
      'a token of a revoked key': protectedCall(tokenOf(ROTATION + 1), 401),
      'a wrong secret': exchangeOf(keyId(0), secretOf(1), 401),
      'an unknown key': exchangeOf(keyId(9_999_999), secretOf(0), 401),
      'a revoked key': exchangeOf(keyId(ROTATION + 1), secret(ROTATION + 1), 401),
      'a link that is none': { method: 'GET', path: `/api/v1/auth/verify?token=${linkToken('99999999')}`, status: 401 },
    },
  }
}
