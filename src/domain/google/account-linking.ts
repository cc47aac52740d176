/** Decides which account a Google user signs in to: by identity, or by address where Google is authoritative for it. */
import { claimOrCreateAccount, insertFreeUser, newUser, requireEnabled } from '../users/claim.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { findIdentity, findIdentityOf, insertIdentity, setIdentityEmail } from './identity-store.ts'
import type { Identity } from './identity-store.ts'
import { findUserByEmail, lockUser } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'
import { ApiError } from '../../errors.ts'
import type { Language } from '../languages.ts'
import { enqueueMail } from '../mails/mail-queue-store.ts'
import { newMail } from '../mails/new-mail.ts'
import { queueNotice } from '../mails/notices.ts'
import type { GoogleUser } from './id-token.ts'

/** `signInId` is the `sid` of the token to be issued. */
export type GoogleArrival = Readonly<{
  googleUser: GoogleUser
  source: EventSource
  locale: Language
  signInId: string
}>

/** The address has an account that this identity may not join. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError'
  readonly remedy: string

  constructor(remedy: string) {
    super('an account with this e-mail address exists, but the identity is not connected to it')
    this.remedy = remedy
  }
}

/**
 * Finds, joins or creates the account of a Google user (docs/decisions/0015). Locks the user's row.
 * @throws {ApiError} `SIGNUP_CLOSED`
 * @throws {NotConnectedError}
 * @throws {AccountDisabledError}
 * @throws {AddressReservedError}
 */
export async function findOrCreateAccount(deps: DomainDeps, trx: Transaction, arrival: GoogleArrival): Promise<User> {
  const { issuer, subject, email, isAuthoritative } = arrival.googleUser
  const known = await findIdentity(trx, issuer, subject)
  if (known === undefined) {
    const find = isAuthoritative ? joinByAddress : createUnclaimed
    return find(deps, trx, arrival)
  }
  const user = await lockUser(trx, 'id', known.user_id)
  const isUnchanged = (await findIdentity(trx, issuer, subject))?.user_id === user?.id
  // Disconnected, or detached by the owner's claim, while this call waited for the lock.
  if (user === undefined || !isUnchanged) return findOrCreateAccount(deps, trx, arrival)
  requireEnabled(user)
  if (known.email !== email) await setIdentityEmail(trx, { ...known, email })
  const isProof = user.claimed_at_ms === null && isAuthoritative && user.email === email
  return isProof ? joinByAddress(deps, trx, arrival) : user
}

/** Google runs the mailbox, so its assertion proves the address as a magic link does. */
async function joinByAddress(deps: DomainDeps, trx: Transaction, arrival: GoogleArrival): Promise<User> {
  const { source, locale, googleUser } = arrival
  const { email, issuer, subject } = googleUser
  const { user, isNew } = await claimOrCreateAccount(deps, trx, { email, locale, source })
  const connected = await findIdentityOf(trx, user.id, issuer)
  // Connected by a concurrent sign-in of this identity.
  if (connected?.subject === subject) return user
  // A mailbox that was reassigned has another `sub`: its new holder must not get the previous holder's account.
  if (connected !== undefined) throw new NotConnectedError('disconnect the other Google account and connect this one')
  const identity = identityOf(deps, user.id, arrival)
  if (!(await insertIdentity(trx, identity))) return findOrCreateAccount(deps, trx, arrival)
  if (!isNew) {
    await recordEvent(trx, deps, { userId: user.id, type: 'google_connected', detail: email }, source)
    await queueNotice(deps, trx, 'google_notice', user, identity.connected_at_ms)
  }
  return user
}

/** Google's assertion does not prove the address: the account is unclaimed until the address's owner claims it. */
async function createUnclaimed(deps: DomainDeps, trx: Transaction, arrival: GoogleArrival): Promise<User> {
  const { source, locale, googleUser } = arrival
  const { email, issuer, subject } = googleUser
  const owner = await findUserByEmail(trx, email)
  if (owner !== undefined) {
    // Created by a concurrent sign-in of this identity.
    const isOurs = (await findIdentityOf(trx, owner.id, issuer))?.subject === subject
    if (!isOurs) throw new NotConnectedError('connect Google')
    return findOrCreateAccount(deps, trx, arrival)
  }
  if (deps.config.signup === 'closed') throw new ApiError('SIGNUP_CLOSED')
  const user = newUser(deps, { email, locale, name: null, claimedAtMs: null })
  // Created concurrently, perhaps by a sign-in of this identity.
  if (!(await insertFreeUser(trx, user))) return findOrCreateAccount(deps, trx, arrival)
  // Connected to another account concurrently: the transaction rolls back, and the new account with it.
  if (!(await insertIdentity(trx, identityOf(deps, user.id, arrival)))) throw new ApiError('GOOGLE_CREDENTIAL_INVALID')
  await recordEvent(trx, deps, { userId: user.id, type: 'account_created', detail: 'google' }, source)
  await enqueueMail(trx, newMail(deps, { kind: 'signup_notice', email, locale, ip: source.ip }))
  return user
}

export function identityOf(
  { clock }: Pick<DomainDeps, 'clock'>,
  userId: string,
  { googleUser: { issuer, subject, email }, signInId }: Pick<GoogleArrival, 'googleUser' | 'signInId'>,
): Identity {
  return { issuer, subject, user_id: userId, email, connected_at_ms: clock.now(), sign_in_id: signInId }
}
