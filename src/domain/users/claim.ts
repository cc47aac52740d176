/** The claim: the first proof of an address gives its account to the owner, and disables what others made there. */
import type { Transaction } from '../../database/database.ts'
import { insertSpelling } from './spelling-store.ts'
import { findReservation } from '../address-change/address-change-store.ts'
import type { DomainDeps } from '../deps.ts'
import { ApiError } from '../../errors.ts'
import { mailboxOf } from '../../lib/text/email-address.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { deleteIdentitiesOf } from '../google/identity-store.ts'
import { quarantineKeys } from '../keys/key-store.ts'
import { claimUser, insertUser, lockUser, setLocale } from './user-store.ts'
import type { User } from './user-store.ts'

export type Proof = Readonly<{ email: string; locale: string; source: EventSource }>

export type ProvenAccount = Readonly<{ user: User; isNew: boolean }>

/** The operator has disabled the account: even its owner is refused. */
export class AccountDisabledError extends Error {}

/** The address is reserved: a change from it to another can still be undone (docs/decisions/0059). */
export class AddressReservedError extends Error {}

/** @throws {AccountDisabledError} when the operator has disabled the account (docs/decisions/0019) */
export function requireEnabled(user: User): void {
  if (user.disabled_at_ms !== null) throw new AccountDisabledError()
}

/**
 * The account of an address whose mailbox the caller has just proven to hold; it is created if there is none. If
 * somebody else signed up with the address before, it is claimed in this transaction: every token is revoked, every key
 * awaits the owner, Google identities and the display name are deleted, and stored idempotency answers do not apply to
 * the owner (docs/decisions/0005; account pre-hijacking, Sudhodanan and Paverd 2022).
 * @returns the account, and whether it was created
 * @throws {ApiError} `SIGNUP_CLOSED` when the address has no account and signup is closed
 * @throws {AccountDisabledError}
 * @throws {AddressReservedError}
 */
export async function claimOrCreateAccount(deps: DomainDeps, trx: Transaction, proof: Proof): Promise<ProvenAccount> {
  const nowMs = deps.clock.now()
  const found = await lockUser(trx, 'email', proof.email)
  if (found === undefined) return createClaimedUser(deps, trx, proof, nowMs)
  requireEnabled(found)
  await noteSpelling(trx, found.email)
  if (found.locale !== proof.locale) await setLocale(trx, found.id, proof.locale)
  if (found.claimed_at_ms !== null) return { user: { ...found, locale: proof.locale }, isNew: false }

  const user = await claimUser(trx, found.id, nowMs)
  await quarantineKeys(trx, user.id, nowMs)
  // None of them proved the address: otherwise the account would be claimed already.
  await deleteIdentitiesOf(trx, user.id)
  await recordEvent(trx, deps, { userId: user.id, type: 'account_claimed' }, proof.source)
  return { user, isNew: false }
}

async function createClaimedUser(
  deps: DomainDeps,
  trx: Transaction,
  proof: Proof,
  nowMs: number,
): Promise<ProvenAccount> {
  if (deps.config.signup === 'closed') throw new ApiError('SIGNUP_CLOSED')
  const { email, locale } = proof
  const user = newUser(deps, { email, locale, name: null, claimedAtMs: nowMs })
  // A concurrent sign-in or signup has created the account.
  if (!(await insertFreeUser(trx, user))) return claimOrCreateAccount(deps, trx, proof)
  await noteSpelling(trx, email)
  await recordEvent(trx, deps, { userId: user.id, type: 'account_created' }, proof.source)
  return { user, isNew: true }
}

/**
 * As `insertUser`, for an address that must not be reserved.
 * @returns false when the address has an account
 * @throws {AddressReservedError}
 */
export async function insertFreeUser(trx: Transaction, user: User): Promise<boolean> {
  const isInserted = await insertUser(trx, user)
  // After the insert, which waits for a change of address that is being confirmed.
  if (isInserted && (await findReservation(trx, user.email, user.created_at_ms)) !== undefined)
    throw new AddressReservedError()
  return isInserted
}

// Tells the mail budget of the mailbox for which addresses it keeps the last token (docs/decisions/0029).
export async function noteSpelling(trx: Transaction, email: string): Promise<void> {
  const mailbox = mailboxOf(email)
  if (mailbox !== email) await insertSpelling(trx, email, mailbox)
}

export function newUser(
  deps: DomainDeps,
  account: Readonly<{ email: string; locale: string; name: string | null; claimedAtMs: number | null }>,
): User {
  return {
    id: deps.random.uuid(),
    email: account.email,
    role: 'USER',
    name: account.name,
    token_version: 0,
    claimed_at_ms: account.claimedAtMs,
    created_at_ms: deps.clock.now(),
    locale: account.locale,
    deleted_at_ms: null,
    disabled_at_ms: null,
    payment_link_count: 0,
  }
}
