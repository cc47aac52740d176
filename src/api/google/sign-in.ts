/** From what Google says to a token: what the redirect flow and One Tap have in common. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { SIGN_IN_LIFETIME_SECONDS } from '../../domain/sign-in/access-token.ts'
import { AccountDisabledError } from '../../domain/users/claim.ts'
import { recordEvent } from '../../domain/events/security-events.ts'
import { needsOnboarding } from '../../domain/users/onboarding.ts'
import { spend } from '../../domain/sign-in/spent-credential-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { Deps } from '../../http/deps.ts'
import { ApiError } from '../../errors.ts'
import type { ErrorCode } from '../../errors.ts'
import { clientNetwork } from '../../lib/network.ts'
import type { GoogleUser } from '../../domain/google/id-token.ts'
import { accountOf } from '../../domain/google/account-linking.ts'

/** The request of every endpoint that takes a credential. */
export const CredentialBody = Type.Object(
  { credential: Type.String({ description: 'The JWT issued by Google’s One Tap.' }) },
  { additionalProperties: false, examples: [{ credential: 'eyJhbGciOiJSUzI1NiIs…' }] },
)

/** The answer to a sign-in with Google. */
export const SignInAnswer = Type.Object(
  {
    token: Type.String({ description: 'The access token, valid for 7 days.' }),
    needsOnboarding: Type.Boolean({
      description: 'No display name yet, or the address not proven, or API keys that wait for the owner.',
    }),
    user: Type.Object({ id: Type.String(), email: Type.String(), role: Type.String() }),
  },
  {
    description: 'Signed in.',
    examples: [
      {
        token: 'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6IjRrUWcxeU9oIn0.e30.c2lnbmF0dXJl',
        needsOnboarding: true,
        user: { id: '0199d6c2-7f3a-7c41-9a55-3f1f6f0b6f10', email: 'ana@gmail.com', role: 'USER' },
      },
    ],
  },
)

/** What every endpoint that takes Google's word can answer. */
export const credentialErrors = [
  'GOOGLE_CREDENTIAL_INVALID',
  'EMAIL_NOT_VERIFIED',
  'RATE_LIMITED',
  'GOOGLE_UNAVAILABLE',
  'GOOGLE_NOT_CONFIGURED',
] as const satisfies readonly ErrorCode[]

/**
 * Signs a Google user in, and spends the ID token that told of them.
 * @throws {ApiError} `GOOGLE_CREDENTIAL_INVALID` when it is spent or the account disabled, `EMAIL_NOT_VERIFIED` when the address has an
 * account that this identity may not join, `SIGNUP_CLOSED`; nothing is written then
 */
export async function signIn(
  deps: Deps,
  request: FastifyRequest,
  googleUser: GoogleUser,
): Promise<Static<typeof SignInAnswer>> {
  const { db, clock, random, accessTokens, mailer } = deps
  const signInId = random.uuid()
  const signedIn = await db.transaction(async (trx) => {
    await spendToken(trx, googleUser)
    const user = await accountOf(deps, trx, { request, googleUser, signInId })
    await recordEvent(trx, deps, { userId: user.id, type: 'signed_in', detail: 'google' }, request)
    return { user, needsOnboarding: await needsOnboarding(trx, user, clock.now()) }
  }).catch(refuseAsInvalid)
  mailer.wake()
  const { id, email, role, token_version: tokenVersion } = signedIn.user
  const subject = { userId: id, role, tokenVersion, jti: signInId }
  return {
    token: accessTokens.issue({ ...subject, amr: 'google', lifetimeSeconds: SIGN_IN_LIFETIME_SECONDS }),
    needsOnboarding: signedIn.needsOnboarding,
    user: { id, email, role },
  }
}

// As any other that does not sign in: a disabled account is nobody's to find out about.
function refuseAsInvalid(error: unknown): never {
  throw error instanceof AccountDisabledError ? new ApiError('GOOGLE_CREDENTIAL_INVALID') : error
}

/** @throws {ApiError} `GOOGLE_CREDENTIAL_INVALID` where the ID token was used before */
export async function spendToken(trx: Transaction, { tokenHash, expiresAtMs, issuedAtMs }: GoogleUser): Promise<void> {
  if (!(await spend(trx, tokenHash, expiresAtMs, issuedAtMs))) throw new ApiError('GOOGLE_CREDENTIAL_INVALID')
}

/** What goes wrong by what the caller brought. */
const failures: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'OAUTH_STATE_INVALID',
  'GOOGLE_CREDENTIAL_INVALID',
  'EMAIL_NOT_VERIFIED',
])

/**
 * Runs a sign-in. What fails by what the caller brought counts as a failed sign-in of the caller's client.
 * @throws what `work` throws; after too many failures `RATE_LIMITED` in its place
 */
export async function countFailures<T>(
  { rateLimits }: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ApiError && failures.has(error.code)) {
      await rateLimits.count(reply, ['sign-in-failures', clientNetwork(request.ip)])
    }
    throw error
  }
}
