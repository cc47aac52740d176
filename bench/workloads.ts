/** The workloads and their requests. */
import { randomBytes } from 'node:crypto'
import { apiKeyId, digits, keyId, linkToken, ROTATION, userId } from './tables.ts'
import { createAccessTokens } from '../src/domain/sign-in/access-token.ts'
import type { AccessTokens } from '../src/domain/sign-in/access-token.ts'
import { loadConfig } from '../src/config/load-config.ts'
import { systemClock } from '../src/lib/clock.ts'
import { toBase62, systemRandom } from '../src/lib/random.ts'
import { crc32 } from 'node:zlib'

/** Shared by all contestants that accept the tokens of the service; random in each run. */
export const JWT_SECRET = randomBytes(36).toString('base64')
export const PUBLIC_URL = 'https://pay.example.com'

/** Workloads and their titles. */
export const workloads = {
  'protected-one': 'protected call, one token',
  protected: 'protected call, 1,000 tokens in rotation',
  exchange: 'key exchange, 1,000 keys in rotation',
  'link-request': 'link request, durable',
  'link-verify': 'link verify, durable',
  signup: 'signup, durable',
} as const

export type Workload = keyof typeof workloads

/** One request. `{n}` is replaced with a sequence number of eight digits. `status` is the expected status. */
export type Call = Readonly<{
  method: 'GET' | 'POST'
  path: string
  headers?: Readonly<Record<string, string>>
  body?: string
  status: number
}>

/** The calls of each workload, sent round-robin, and calls that the contestant must refuse. */
export type Calls = Readonly<{
  works: Readonly<Partial<Record<Workload, readonly Call[]>>>
  /** Keyed by what is wrong with the call. */
  refused: Readonly<Record<string, Call>>
}>

/** A valid secret for key `n`, including its checksum. */
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
 * The calls of every contestant with the API of the service.
 * @param secret returns the secret of key `n`
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
  // The claims of one token with the signature of another.
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
      'a token from before the sign-out': protectedCall(tokenOf(ROTATION), 401),
      'a token of a revoked key': protectedCall(tokenOf(ROTATION + 1), 401),
      'a wrong secret': exchangeOf(keyId(0), secretOf(1), 401),
      'an unknown key': exchangeOf(keyId(9_999_999), secretOf(0), 401),
      'a revoked key': exchangeOf(keyId(ROTATION + 1), secret(ROTATION + 1), 401),
      'an unknown link': { method: 'GET', path: `/api/v1/auth/verify?token=${linkToken('99999999')}`, status: 401 },
    },
  }
}
