/** Restores Google connections when a change of the address is undone (docs/decisions/0059). */
import type { Transaction } from '../../database/database.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { EventDeps } from '../deps.ts'
import { recordEvent } from '../events/security-events.ts'
import type { EventSource } from '../events/security-events.ts'
import { deleteIdentitiesOf, findIdentitiesOf, insertIdentity } from '../google/identity-store.ts'
import type { Identity } from '../google/identity-store.ts'
import { findSignIn } from '../sign-in/sign-in-store.ts'
import type { User } from '../users/user-store.ts'
import { identitiesBefore } from '../address-change/address-change-store.ts'
import type { AddressChange } from '../address-change/address-change-store.ts'
import { findConnectionsSince } from './disowned-connections.ts'
import type { Connection } from './disowned-connections.ts'

/** The lifetime of a token and of a mail's button: the thief may have connected the account in preparation. */
const NEW_FOR_MS = 7 * DAY_MS

function newIdentitiesBefore(change: AddressChange): readonly Identity[] {
  return identitiesBefore(change).filter((one) => one.connected_at_ms >= change.asked_at_ms - NEW_FOR_MS)
}

/** Connections from before the change that may have prepared it, also those that were disconnected before it. */
export async function findNewConnectionsBefore(
  trx: Transaction,
  user: User,
  change: AddressChange,
): Promise<readonly Connection[]> {
  const recorded = await findConnectionsSince(trx, user, change.asked_at_ms - NEW_FOR_MS)
  return [...newIdentitiesBefore(change), ...recorded.filter((one) => one.connected_at_ms <= change.asked_at_ms)]
}

/**
 * Restores the Google connections from before the change, and disconnects all others. A new connection, or the one that
 * the sign-in behind the change used, may be the thief's and is not restored. The caller holds the user's lock.
 */
export async function restoreIdentities(
  deps: EventDeps,
  trx: Transaction,
  { user, change }: Readonly<{ user: User; change: AddressChange }>,
  source: EventSource,
): Promise<void> {
  const record = (type: 'google_connected' | 'google_disconnected' | 'google_not_restored', detail: string) =>
    recordEvent(trx, deps, { userId: user.id, type, detail }, source)
  const before = identitiesBefore(change)
  const suspects = newIdentitiesBefore(change)
  const isByMail = (await findSignIn(trx, user.id, change.sign_in_id))?.method === 'magic_link'
  const trusted = isByMail ? before.filter((one) => !isIn(suspects, one)) : []
  const since = await findIdentitiesOf(trx, user.id)
  await deleteIdentitiesOf(trx, user.id)
  for (const identity of since) if (!isIn(trusted, identity)) await record('google_disconnected', identity.email)
  for (const identity of before) {
    const isRestored = isIn(trusted, identity) && (await insertIdentity(trx, { ...identity, user_id: user.id }))
    if (!isRestored) await record('google_not_restored', identity.email)
    else if (!isIn(since, identity)) await record('google_connected', identity.email)
  }
}

const isIn = (some: readonly Identity[], { issuer, subject }: Identity): boolean =>
  some.some((one) => one.issuer === issuer && one.subject === subject)
