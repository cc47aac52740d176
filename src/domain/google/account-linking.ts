/** Which account a Google user signs in to: by the identity, and by the address only where Google's word proves it. */
import { newUser, proveAddress, refuseDisabled } from '../users/claim.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { findIdentity, findIdentityOf, insertIdentity, setIdentityEmail } from './identity-store.ts'
import type { Identity } from './identity-store.ts'
import { findUserByEmail, insertUser, lockUser } from '../users/user-store.ts'
import type { User } from '../users/user-store.ts'
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'
import { ApiError } from '../../errors.ts'
import { clientNetwork } from '../../lib/network.ts'
import type { Locale } from '../mails/mail-locale.ts'
import { enqueueMail } from '../mails/mail-queue-store.ts'
import { newMail } from '../mails/new-mail.ts'
import { queueNotice } from '../mails/notices.ts'
import type { GoogleUser } from './id-token.ts'

/** A sign-in that Google vouches for, and where it came from. `signInId`: the `jti` of the token to be. */
export type Arrival = Readonly<{ googleUser: GoogleUser; source: EventSource; locale: Locale; signInId: string }>

/**
 * The account of a Google user, made or joined where the rules of docs/decisions/0015 let it.
 * Locks the user's row.
 * @throws {ApiError} `EMAIL_NOT_VERIFIED` when the address has an account that this identity may not join,
 * `SIGNUP_CLOSED`
 * @throws {AccountDisabledError}
 */
export async function findOrCreateAccount(deps: DomainDeps, trx: Transaction, arrival: Arrival): Promise<User> {
  const { issuer, subject, email, isAuthoritative } = arrival.googleUser
  const known = await findIdentity(trx, issuer, subject)
  if (known === undefined) {
    const find = isAuthoritative ? joinByAddress : createUnclaimed
    return find(deps, trx, arrival)
  }
  const user = await lockUser(trx, 'id', known.user_id)
  const isStill = (await findIdentity(trx, issuer, subject))?.user_id === user?.id
  // Disconnected, or detached by the owner's claim, while we waited for the lock.
  if (user === undefined || !isStill) return findOrCreateAccount(deps, trx, arrival)
  refuseDisabled(user)
  if (known.email !== email) await setIdentityEmail(trx, { ...known, email })
  const isProof = user.claimed_at_ms === null && isAuthoritative && user.email === email
  return isProof ? joinByAddress(deps, trx, arrival) : user
}

/** Google runs the mailbox: its word proves the address as a magic link does. */
async function joinByAddress(deps: DomainDeps, trx: Transaction, arrival: Arrival): Promise<User> {
  const { source, locale, googleUser } = arrival
  const { email, issuer, subject } = googleUser
  const { user, isNew } = await proveAddress(deps, trx, { email, locale, source })
  const connected = await findIdentityOf(trx, user.id, issuer)
  // By another sign-in of this identity, since we looked.
  if (connected?.subject === subject) return user
  // A mailbox that was given to somebody else comes with another subject: not the account of the first.
  if (connected !== undefined)
    return refuse(deps, source, email, 'disconnect the other Google account and connect this one')
  const identity = identityOf(deps, user.id, arrival)
  if (!(await insertIdentity(trx, identity))) return findOrCreateAccount(deps, trx, arrival)
  if (!isNew) {
    await recordEvent(trx, deps, { userId: user.id, type: 'google_connected', detail: email }, source)
    await queueNotice(deps, trx, 'google_notice', user, identity.connected_at_ms)
  }
  return user
}

/** Google's word does not prove the address: whoever came has the account until its owner claims it. */
async function createUnclaimed(deps: DomainDeps, trx: Transaction, arrival: Arrival): Promise<User> {
  const { source, locale, googleUser } = arrival
  const { email, issuer, subject } = googleUser
  const owner = await findUserByEmail(trx, email)
  if (owner !== undefined) {
    // Made by another sign-in of this identity, since we looked for that.
    const isOurs = (await findIdentityOf(trx, owner.id, issuer))?.subject === subject
    return isOurs ? findOrCreateAccount(deps, trx, arrival) : refuse(deps, source, email, 'connect Google')
  }
  if (deps.config.signup === 'closed') throw new ApiError('SIGNUP_CLOSED')
  const user = await insertUser(trx, newUser(deps, { email, locale, name: null, claimedAtMs: null }))
  // Made by somebody else since we looked; perhaps by another sign-in of this identity.
  if (user === undefined) return findOrCreateAccount(deps, trx, arrival)
  // Connected to another account at this very moment: nothing of this one is left.
  if (!(await insertIdentity(trx, identityOf(deps, user.id, arrival)))) throw new ApiError('GOOGLE_CREDENTIAL_INVALID')
  await recordEvent(trx, deps, { userId: user.id, type: 'account_created', detail: 'google' }, source)
  await enqueueMail(trx, newMail(deps, { kind: 'signup_notice', email, locale, ip: source.ip }))
  return user
}

/** A row for the identity of a Google user, not stored yet. */
export function identityOf(
  { clock }: Pick<DomainDeps, 'clock'>,
  userId: string,
  { googleUser: { issuer, subject, email }, signInId }: Pick<Arrival, 'googleUser' | 'signInId'>,
): Identity {
  return { issuer, subject, user_id: userId, email, connected_at_ms: clock.now(), sign_in_id: signInId }
}

function refuse({ failureLog }: DomainDeps, { ip }: EventSource, email: string, wayOut: string): never {
  failureLog.note({
    type: 'sign_in_refused',
    who: { by: 'email', value: email },
    client: clientNetwork(ip),
    detail: 'google',
  })
  const message = `There is an account with this address, and this Google account is not connected to it. Sign in by magic link, then ${wayOut} from the dashboard.`
  throw new ApiError('EMAIL_NOT_VERIFIED', { message })
}
