/** Access tokens (HS256 JWT, RFC 7519): signed with one secret, verified with several, every claim checked. */
import { isUtf8 } from 'node:buffer'
import { createDecoder, createSigner, createVerifier } from 'fast-jwt'
import { LRUCache } from 'lru-cache'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Config } from '../../config/settings.ts'
import type { Clock } from '../../lib/clock.ts'
import { keyIdOfSecret } from '../../lib/hash.ts'
import type { Random } from '../../lib/random.ts'
import { resources, resourceUrl } from './resources.ts'
import type { Resource } from './resources.ts'

/** Lifetime of a token from a person's sign-in (specification, section 8). */
export const SIGN_IN_LIFETIME_SECONDS = 7 * 24 * 3600

/** Lifetime of a token from a key exchange or signup (specification, section 8). */
export const KEY_LIFETIME_SECONDS = 3600

/** Lifetime of an app's token, and of its access: there are no refresh tokens. */
export const APP_LIFETIME_SECONDS = 7 * 24 * 3600

/** Tolerance for another process's clock being ahead. */
const ISSUED_AHEAD_SECONDS = 60

/** Bounds of the cache of verified tokens: entries, and characters in total. */
const MAX_KNOWN = 10_000
const MAX_KNOWN_CHARACTERS = 8 * 1024 * 1024

const MAC_LENGTH = 43

/** Our tokens have about 500 characters. */
const MAX_TOKEN_LENGTH = 2048

const AuthenticationMethod = Type.Enum(['magic_link', 'google', 'api_key'])

const Claims = Type.Object({
  iss: Type.String(),
  sub: Type.String({ minLength: 1 }),
  aud: Type.String(),
  iat: Type.Integer({ minimum: 0 }),
  exp: Type.Integer({ minimum: 0 }),
  // Our tokens have none; if there is one, it is enforced.
  nbf: Type.Optional(Type.Number()),
  jti: Type.String({ minLength: 1 }),
  role: Type.String(),
  tokenVersion: Type.Integer({ minimum: 0 }),
  amr: Type.Tuple([AuthenticationMethod]),
  apiKeyId: Type.Optional(Type.String({ minLength: 1 })),
  // A person's tokens of earlier versions have none.
  sid: Type.Optional(Type.String({ minLength: 1 })),
})

/** Claims of an access token (RFC 7519, section 4.1; `amr`: RFC 8176; `sid`: OpenID Connect Front-Channel Logout). They contain no e-mail address. */
export type AccessTokenClaims = Static<typeof Claims>

/** How the user authenticated. */
export type Amr = Static<typeof AuthenticationMethod>

export type TokenSubject = Readonly<{
  userId: string
  role: string
  tokenVersion: number
  amr: Amr
  /** The API key that the token comes from; required with `amr` "api_key". */
  apiKeyId?: string
  /** The sign-in that the token comes from; required unless `amr` is "api_key". */
  sid?: string
  /** Of the sign-in, if the token replaces one of it; now otherwise. */
  issuedAtSeconds?: number
  lifetimeSeconds: number
  /** Default: the API. */
  resource?: Resource
}>

/** Issues and verifies access tokens. Does not check revocation: see `authenticate`. */
export type AccessTokens = Readonly<{
  issue(subject: TokenSubject): string
  /**
   * The claims of a genuine, unexpired token of this service; `undefined` for anything else.
   * @param resource a token for the API is good for every resource, one for another resource only there; default: the API
   */
  verify(token: string, resource?: Resource | 'any'): AccessTokenClaims | undefined
}>

// The only spelling of a compact JWS whose MAC has 32 bytes. Base64url leaves two unused bits in the last character;
// any other value of them would be a second spelling of the same token.
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]{42}[AEIMQUYcgkosw048]$/

const signatureOf = (token: string): string => token.slice(-MAC_LENGTH)

const isUtf8Segment = (segment: string): boolean => isUtf8(Buffer.from(segment, 'base64url'))

export function createAccessTokens(config: Config, clock: Clock, random: Random): AccessTokens {
  const sign = createSigner({
    key: config.jwtSecret,
    algorithm: 'HS256',
    kid: keyIdOfSecret(config.jwtSecret),
  })
  const decode = createDecoder({ complete: true })
  const isClaims = Compile(Claims)
  // Times are checked below, with our own clock. The library caches nothing.
  const verifiers = new Map(
    [config.jwtSecret, ...config.jwtSecretVerify].map((key) => [
      keyIdOfSecret(key),
      createVerifier({
        key,
        algorithms: ['HS256'],
        ignoreExpiration: true,
        ignoreNotBefore: true,
        cache: false,
      }),
    ]),
  )

  const audiences = new Set(resources.map((resource) => resourceUrl(config, resource)))

  // Found by its signature, which is short, and compared as a whole. Contains only tokens that we signed. Saves 40 % of
  // a protected call (docs/decisions/0038).
  const known = new LRUCache<string, Readonly<{ token: string; claims: AccessTokenClaims }>>({
    max: MAX_KNOWN,
    maxSize: MAX_KNOWN_CHARACTERS,
    sizeCalculation: ({ token }) => token.length,
  })

  return {
    issue(subject) {
      const { userId, lifetimeSeconds, amr, issuedAtSeconds, resource = 'api', ...rest } = subject
      const iat = issuedAtSeconds ?? Math.floor(clock.now() / 1000)
      return sign({
        iss: config.publicUrl,
        sub: userId,
        aud: resourceUrl(config, resource),
        iat,
        exp: iat + lifetimeSeconds,
        jti: random.plainUuid(),
        amr: [amr],
        ...rest,
      } satisfies AccessTokenClaims)
    },

    verify(token, resource = 'api') {
      const found = known.get(signatureOf(token))
      const claims = found?.token === token ? found.claims : read(token)
      const isFor =
        resource === 'any' || claims?.aud === config.baseUrl || claims?.aud === resourceUrl(config, resource)
      return isFor && claims !== undefined && isCurrent(claims, clock.now() / 1000) ? claims : undefined
    },
  }

  // Caches claims: a genuine token stays genuine. Expiry and revocation are checked on every call.
  function read(token: string): AccessTokenClaims | undefined {
    const claims = readGenuine(token)
    if (claims === undefined) return undefined
    Object.freeze(claims.amr)
    known.set(signatureOf(token), { token, claims: Object.freeze(claims) })
    return claims
  }

  function readGenuine(token: string): AccessTokenClaims | undefined {
    if (token.length > MAX_TOKEN_LENGTH || !COMPACT_JWS.test(token)) return undefined
    // The decoder reads invalid UTF-8 as U+FFFD, but it has to be refused (RFC 8725, section 3.7).
    if (!token.split('.').slice(0, 2).every(isUtf8Segment)) return undefined
    try {
      const { header } = decode(token) as { header: Record<string, unknown> }
      const { typ, crit, b64, kid } = header
      if (typ !== 'JWT' || crit !== undefined || b64 !== undefined) return undefined
      // Not `String(kid)`: a list of one kid would pass.
      const claims: unknown = verifiers.get(kid as string)?.(token)
      if (!isClaims.Check(claims)) return undefined
      const isOurs = claims.iss === config.publicUrl && audiences.has(claims.aud)
      const isFromKey = claims.amr[0] === 'api_key'
      const isConsistent = isFromKey
        ? claims.apiKeyId !== undefined && claims.sid === undefined
        : claims.apiKeyId === undefined
      return isOurs && isConsistent ? claims : undefined
    } catch {
      return undefined
    }
  }
}

function isCurrent({ exp, iat, nbf = 0 }: AccessTokenClaims, nowSeconds: number): boolean {
  return exp > nowSeconds && iat <= nowSeconds + ISSUED_AHEAD_SECONDS && nbf <= nowSeconds
}
