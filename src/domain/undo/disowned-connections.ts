/** Google accounts that an attacker connected or signed in with: each gives access while it is connected. */
import type { Transaction } from '../../database/database.ts'
import { identitiesBefore } from '../address-change/address-change-store.ts'
import type { AddressChange } from '../address-change/address-change-store.ts'
import { findEventsSince } from '../events/event-store.ts'
import { findIdentitiesOf } from '../google/identity-store.ts'
import type { Identity } from '../google/identity-store.ts'
import { SIGN_INS_KEPT_MS } from '../keys/key-history.ts'
import type { User } from '../users/user-store.ts'
import { findSignIns } from '../sign-in/sign-in-store.ts'

export type Connection = Pick<Identity, 'connected_at_ms' | 'sign_in_id'>

type Asked = Readonly<{
  /** The disowned sign-ins; those that connected disowned Google accounts are added. */
  signIns: Set<string>
  /** The user's changes that can be undone. */
  changes: readonly AddressChange[]
  /** Everything connected since then is disowned. */
  sinceMs: number
  /** Everything that was ever connected is disowned. */
  isUnclaimed: boolean
  nowMs: number
}>

/** Also those that have been disconnected since. */
export async function findConnectionsSince(trx: Transaction, user: User, sinceMs: number): Promise<Connection[]> {
  const events = await findEventsSince(trx, user.id, ['google_connected'], sinceMs)
  return events.map((event) => ({ connected_at_ms: event.at_ms, sign_in_id: event.by_sign_in_id ?? '' }))
}

/**
 * Finds the Google accounts that are disowned with these sign-ins. A thief could sign in with one at any time since it
 * was connected, also if a change of the address or the thief has disconnected it since.
 * @returns since when nothing on the account is known to be the owner's; `Infinity` when no Google account is disowned
 */
export async function disownConnections(
  trx: Transaction,
  user: User,
  { signIns, changes, isUnclaimed, nowMs, ...asked }: Asked,
): Promise<{ sinceMs: number; isDisowned: (identity: Identity) => boolean }> {
  const connections: Connection[] = [
    ...(await findIdentitiesOf(trx, user.id)),
    ...changes.flatMap(identitiesBefore),
    ...(await findConnectionsSince(trx, user, nowMs - SIGN_INS_KEPT_MS)),
  ]
  const theirs = connections.filter((one) => isUnclaimed || signIns.has(one.sign_in_id))
  // It is not known when they began to use an older Google account: only what followed this sign-in is theirs for sure.
  const withGoogle = (await findSignIns(trx, user.id, 0)).filter(
    ({ id, method }) => method === 'google' && signIns.has(id),
  )
  const sinceMs = Math.min(
    asked.sinceMs,
    ...theirs.map((one) => one.connected_at_ms),
    ...withGoogle.map((signIn) => signIn.created_at_ms),
  )
  for (const one of connections)
    if (one.connected_at_ms >= sinceMs && one.sign_in_id !== '') signIns.add(one.sign_in_id)
  return { sinceMs, isDisowned: (one) => withGoogle.length > 0 || one.connected_at_ms >= sinceMs }
}
