/** Validates Google's ID tokens (OpenID Connect Core 1.0, section 3.1.3.7), for every flow. */
import { domainToASCII } from 'node:url'
import { compactVerify, errors } from 'jose'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { parseEmailAddress } from '../../lib/text/email-address.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Log } from '../../lib/log.ts'
import type { GoogleSettings } from '../../config/settings.ts'
import type { GoogleKeys } from './google-keys.ts'

/** Google's tokens have about 1200 characters. */
const MAX_TOKEN_LENGTH = 8192
/** Google's tokens live for one hour. */
const MAX_AGE_SECONDS = 3600
/** Bounds how long a used token is remembered. */
const MAX_LIFETIME_SECONDS = 24 * 3600
/** Tolerance for Google's clock being ahead. */
const CLOCK_SKEW_SECONDS = 10

const isClaims = Compile(
  Type.Object({
    iss: Type.String(),
    // Never a list: another client in it could have received the token.
    aud: Type.String(),
    azp: Type.Optional(Type.String()),
    // ASCII (OpenID Connect Core 1.0, section 2), without control characters: PostgreSQL cannot store NUL.
    sub: Type.String({ pattern: '^[\\x20-\\x7e]{1,255}$' }),
    iat: Type.Number(),
    exp: Type.Number(),
    nbf: Type.Optional(Type.Number()),
    nonce: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
    email_verified: Type.Optional(Type.Unknown()),
    hd: Type.Optional(Type.String()),
  }),
)

export type GoogleUser = Readonly<{
  issuer: string
  /** The token's `sub`; identifies the user together with `issuer`. */
  subject: string
  email: string
  /**
   * Whether Google runs the mailbox, so that its assertion proves the address: a Gmail address, or one of a Workspace
   * domain. Any other address may have changed hands since Google checked it.
   */
  isAuthoritative: boolean
  /** Remembered until `expiresAtMs` once the token is used. */
  tokenHash: string
  expiresAtMs: number
  issuedAtMs: number
}>

export type VerifyIdToken = (token: string, expected?: Readonly<{ nonce: string }>) => Promise<GoogleUser>

const utf8 = new TextDecoder('utf-8', { fatal: true })

// One error for every cause: a forger must not learn which check failed.
const invalid = () => new ApiError('GOOGLE_CREDENTIAL_INVALID')

/**
 * @returns a verifier; it throws `GOOGLE_CREDENTIAL_INVALID` when a check fails, `EMAIL_NOT_VERIFIED` when only the
 * address is not verified by Google, and the error of `keys` when no keys are available
 */
export function createIdTokenVerifier(
  { clientId, issuer }: GoogleSettings,
  keys: GoogleKeys,
  { clock, log }: Readonly<{ clock: Clock; log: Log }>,
): VerifyIdToken {
  // Google signs with both forms (developers.google.com/identity/gsi/web/guides/verify-google-id-token).
  const issuers = new Set([issuer, issuer.replace(/^https?:\/\//, '')])

  return async (token, expected) => {
    if (token.length > MAX_TOKEN_LENGTH) throw invalid()
    const claims = await readSigned(token, keys)
    if (!isClaims.Check(claims)) throw invalid()

    const nowSeconds = clock.now() / 1000
    const holds = {
      iss: issuers.has(claims.iss),
      aud: claims.aud === clientId,
      azp: (claims.azp ?? clientId) === clientId,
      exp: claims.exp > nowSeconds && claims.exp <= claims.iat + MAX_LIFETIME_SECONDS,
      iat: claims.iat <= nowSeconds + CLOCK_SKEW_SECONDS && claims.iat >= nowSeconds - MAX_AGE_SECONDS,
      nbf: (claims.nbf ?? 0) <= nowSeconds + CLOCK_SKEW_SECONDS,
      nonce: expected === undefined || claims.nonce === expected.nonce,
    }
    const [claim] = Object.entries(holds).find(([, isMet]) => !isMet) ?? []
    if (claim !== undefined) {
      // Signed by Google: if this is frequent, our client id or this machine's clock is wrong.
      const issuedSecondsAgo = Math.round(nowSeconds - claims.iat)
      log.warn({ claim, issuedSecondsAgo }, 'an ID token from Google was refused')
      throw invalid()
    }

    const email = claims.email_verified === true ? parseEmailAddress(claims.email ?? '') : undefined
    if (email === undefined) throw new ApiError('EMAIL_NOT_VERIFIED')
    return {
      issuer,
      subject: claims.sub,
      email,
      isAuthoritative: isAuthoritative(claims, email),
      // Without the signature: one token can have several.
      tokenHash: sha256(token.slice(0, token.lastIndexOf('.'))),
      // Fractions of a second are allowed (RFC 7519, section 2).
      expiresAtMs: Math.ceil(claims.exp * 1000),
      issuedAtMs: Math.floor(claims.iat * 1000),
    }
  }
}

/** The claims of a token that Google signed (RFC 7515). */
async function readSigned(token: string, keys: GoogleKeys): Promise<unknown> {
  const { payload, protectedHeader } = await compactVerify(token, keys, { algorithms: ['RS256'] }).catch(refuse)
  // `typ` is optional in an ID token, but no other kind of JWT may pass for one (RFC 8725, section 3.11).
  const { typ = 'JWT', crit } = protectedHeader
  if (typ !== 'JWT' || crit !== undefined) throw invalid()
  try {
    return JSON.parse(utf8.decode(payload))
  } catch {
    throw invalid()
  }
}

// A JOSE error is an invalid token; any other error means that no keys are available.
function refuse(error: unknown): never {
  throw error instanceof errors.JOSEError ? invalid() : error
}

// `hd` counts only for an address in the same domain. The token must spell gmail.com itself: an address that only
// becomes one by normalisation is not run by Google.
function isAuthoritative(
  { email: rawEmail = '', hd }: Readonly<{ email?: string; hd?: string }>,
  email: string,
): boolean {
  const domain = email.slice(email.indexOf('@') + 1)
  if (domain === 'gmail.com') return rawEmail.toLowerCase().endsWith('@gmail.com')
  return hd !== undefined && domainToASCII(hd) === domain
}
