import { displayEmailAddress } from '../../lib/text/email-address.ts'
import type { Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import { clientNetwork } from '../../lib/network.ts'
import type { DomainDeps } from '../deps.ts'
import type { EventSource } from '../events/security-events.ts'
import { SIGN_IN_LIFETIME_SECONDS } from '../sign-in/access-token.ts'
import { startSignIn } from '../sign-in/start-sign-in.ts'
import { spendCredential } from '../sign-in/spent-credential-store.ts'
import { AccountDisabledError, AddressReservedError } from '../users/claim.ts'
import { needsOnboarding } from '../users/onboarding.ts'
import { findOrCreateAccount, NotConnectedError } from './account-linking.ts'
import type { GoogleArrival } from './account-linking.ts'
import type { GoogleUser } from './id-token.ts'

export type SignedIn = Readonly<{
  token: string
  needsOnboarding: boolean
  user: Readonly<{ id: string; email: string; role: string }>
}>

/**
 * Signs a Google user in and spends the ID token. Writes nothing when it throws.
 * @throws {ApiError} `GOOGLE_CREDENTIAL_INVALID` when the token is spent or the account disabled, `EMAIL_NOT_VERIFIED`
 * when the address has an account that this identity may not join, `SIGNUP_CLOSED`
 */
export async function signIn(
  deps: DomainDeps,
  { googleUser, source, locale }: Omit<GoogleArrival, 'signInId'>,
): Promise<SignedIn> {
  const { db, clock, random, accessTokens, mailer } = deps
  const signInId = random.uuid()
  const signedIn = await db
    .transaction(async (trx) => {
      await spendToken(trx, googleUser)
      const user = await findOrCreateAccount(deps, trx, { googleUser, source, locale, signInId })
      await startSignIn(deps, trx, { id: signInId, user, method: 'google', source })
      return { user, needsOnboarding: await needsOnboarding(trx, user, clock.now()) }
    })
    .catch((error: unknown) => {
      // After the transaction, which may have run more than once.
      if (error instanceof NotConnectedError) noteRefusal(deps, googleUser, source)
      throw toAnswer(error)
    })
  mailer.wake()
  const { id, email, role, token_version: tokenVersion } = signedIn.user
  const subject = { userId: id, role, tokenVersion, sid: signInId }
  return {
    token: accessTokens.issue({ ...subject, amr: 'google', lifetimeSeconds: SIGN_IN_LIFETIME_SECONDS }),
    needsOnboarding: signedIn.needsOnboarding,
    user: { id, email: displayEmailAddress(email), role },
  }
}

function noteRefusal({ failureLog }: DomainDeps, { email }: GoogleUser, { ip, browser }: EventSource): void {
  const who = { by: 'email', value: email } as const
  failureLog.note({ type: 'sign_in_refused', who, client: clientNetwork(ip), browser, detail: 'google' })
}

function toAnswer(error: unknown): unknown {
  if (error instanceof NotConnectedError) {
    const message = `An account with this e-mail address exists, but this Google account is not connected to it. Sign in by magic link, then ${error.remedy} on the dashboard.`
    return new ApiError('EMAIL_NOT_VERIFIED', { message })
  }
  if (error instanceof AddressReservedError) {
    const message =
      'The account of this e-mail address has got another address in the last seven days. Sign in by magic link with the other address. If you did not change it, ask for a link to this one: the mail offers to undo the change.'
    return new ApiError('EMAIL_NOT_VERIFIED', { message })
  }
  // Answered like an invalid credential: nobody must learn that an account is disabled.
  return error instanceof AccountDisabledError ? new ApiError('GOOGLE_CREDENTIAL_INVALID') : error
}

/** @throws {ApiError} `GOOGLE_CREDENTIAL_INVALID` when the ID token was used before */
export async function spendToken(trx: Transaction, { tokenHash, expiresAtMs, issuedAtMs }: GoogleUser): Promise<void> {
  if (!(await spendCredential(trx, tokenHash, expiresAtMs, issuedAtMs))) throw new ApiError('GOOGLE_CREDENTIAL_INVALID')
}
