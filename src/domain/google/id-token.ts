/** Google's ID tokens (OpenID Connect Core 1.0, section 3.1.3.7): every check of one, whichever way it came. */
import { domainToASCII } from 'node:url'
import { compactVerify, errors } from 'jose'
import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { ApiError } from '../../errors.ts'
import type { Clock } from '../../lib/clock.ts'
import { parseEmailAddress } from '../../lib/email-address.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Log } from '../../lib/log.ts'
import type { GoogleSettings } from '../../config/settings.ts'
import type { GoogleKeys } from './google-keys.ts'

/** The longest token that is looked at; Google's have about 1200 characters. */
const LONGEST_TOKEN = 8192
/** The oldest token that is taken, in seconds: as old as Google lets one become. */
const OLDEST_SECONDS = 3600
/** The longest life that a token may claim, in seconds: until its end it is remembered as used. */
const LONGEST_LIFE_SECONDS = 24 * 3600
/** How far Google's clock may be ahead of ours, in seconds: machines that keep time are closer. */
const AHEAD_SECONDS = 10

const isClaims = Compile(
  Type.Object({
    iss: Type.String(),
    // One audience, never a list: another client of a list could have been given the token.
    aud: Type.String(),
    azp: Type.Optional(Type.String()),
    // ASCII (OpenID Connect Core 1.0, section 2): control characters are what PostgreSQL may not store.
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

/** Who Google says has signed in. */
export type GoogleUser = Readonly<{
  issuer: string
  /** The `sub` of the token: the identity, with the issuer. */
  subject: string
  /** The address in its stored form. */
  email: string
  /**
   * Whether Google runs the mailbox itself, so that its word proves the address: a Gmail address, or
   * one of a Workspace domain. Anywhere else the address may have changed hands since Google checked it.
   */
  isAuthoritative: boolean
  /** What the token is remembered by once it is used, and until when, in milliseconds. */
  tokenHash: string
  expiresAtMs: number
  issuedAtMs: number
}>

/** Checks an ID token. */
export type VerifyIdToken = (token: string, expected?: Readonly<{ nonce: string }>) => Promise<GoogleUser>

const utf8 = new TextDecoder('utf-8', { fatal: true })

// One refusal for every cause: which check a forgery failed is nobody's to know.
const invalid = () => new ApiError('GOOGLE_CREDENTIAL_INVALID')

/**
 * Makes the verifier.
 * @returns a function that throws `GOOGLE_CREDENTIAL_INVALID` where any check fails, `EMAIL_NOT_VERIFIED`
 * where only the address is not Google's word, and whatever `keys` throws when there are none
 */
export function createIdTokenVerifier(
  { clientId, issuer }: GoogleSettings,
  keys: GoogleKeys,
  { clock, log }: Readonly<{ clock: Clock; log: Log }>,
): VerifyIdToken {
  // Google signs in both forms (developers.google.com/identity/gsi/web/guides/verify-google-id-token).
  const issuers = new Set([issuer, issuer.replace(/^https?:\/\//, '')])

  return async (token, expected) => {
    if (token.length > LONGEST_TOKEN) throw invalid()
    const claims = await readSigned(token, keys)
    if (!isClaims.Check(claims)) throw invalid()

    const nowSeconds = clock.now() / 1000
    const holds = {
      iss: issuers.has(claims.iss),
      aud: claims.aud === clientId,
      azp: (claims.azp ?? clientId) === clientId,
      exp: claims.exp > nowSeconds && claims.exp <= claims.iat + LONGEST_LIFE_SECONDS,
      iat: claims.iat <= nowSeconds + AHEAD_SECONDS && claims.iat >= nowSeconds - OLDEST_SECONDS,
      nbf: (claims.nbf ?? 0) <= nowSeconds + AHEAD_SECONDS,
      nonce: expected === undefined || claims.nonce === expected.nonce,
    }
    const [claim] = Object.entries(holds).find(([, isMet]) => !isMet) ?? []
    if (claim !== undefined) {
      // Google signed it: when this is often so, our client id is wrong, or this machine's clock.
      const issuedSecondsAgo = Math.round(nowSeconds - claims.iat)
      log.warn({ claim, issuedSecondsAgo }, 'an ID token of Google was refused')
      throw invalid()
    }

    const email = claims.email_verified === true ? parseEmailAddress(claims.email ?? '') : undefined
    if (email === undefined) throw new ApiError('EMAIL_NOT_VERIFIED')
    return {
      issuer,
      subject: claims.sub,
      email,
      isAuthoritative: isAuthoritative(claims, email),
      // Without the signature, of which the same token could have several.
      tokenHash: sha256(token.slice(0, token.lastIndexOf('.'))),
      // A fraction of a second is allowed (RFC 7519, section 2).
      expiresAtMs: Math.ceil(claims.exp * 1000),
      issuedAtMs: Math.floor(claims.iat * 1000),
    }
  }
}

/** The claims of a token that Google signed (RFC 7515). */
async function readSigned(token: string, keys: GoogleKeys): Promise<unknown> {
  const { payload, protectedHeader } = await compactVerify(token, keys, { algorithms: ['RS256'] }).catch(refuse)
  // An ID token may go without `typ`, but no other kind of JWT passes for one (RFC 8725, section 3.11).
  const { typ = 'JWT', crit } = protectedHeader
  if (typ !== 'JWT' || crit !== undefined) throw invalid()
  try {
    return JSON.parse(utf8.decode(payload))
  } catch {
    throw invalid()
  }
}

// What is wrong with the token, or that there are no keys to check it with.
function refuse(error: unknown): never {
  throw error instanceof errors.JOSEError ? invalid() : error
}

// The token's own `hd`, and only for the address in the same domain: no other tells of a mailbox. Of
// gmail.com to the letter: an address that became one by normalisation is not the one that Google runs.
function isAuthoritative({ email: told = '', hd }: Readonly<{ email?: string; hd?: string }>, email: string): boolean {
  const domain = email.slice(email.indexOf('@') + 1)
  if (domain === 'gmail.com') return told.toLowerCase().endsWith('@gmail.com')
  return hd !== undefined && domainToASCII(hd) === domain
}
