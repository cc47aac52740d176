import type { Transaction } from '../../database/database.ts'
import type { EventDeps } from '../deps.ts'
import { clientNetwork } from '../../lib/network.ts'
import type { Caller } from '../sign-in/authority.ts'
import { incrementTimes, findEventsBetween, insertEvent } from './event-store.ts'
import type { SecurityEvent } from './event-store.ts'

/** Every event type, with its description for users of the API. */
export const eventTypes = {
  account_created: 'The account was created, by signup or a first sign-in.',
  signup_refused: 'Somebody tried to sign up with this address.',
  account_claimed: 'The address was proven: keys created before await the owner.',
  signed_in: 'A person signed in; `detail` says how.',
  sign_in_refused:
    'A link sent to this address was used twice or after it expired. With `detail` google: a Google account with this address is not connected. With `detail` disabled: a link was requested while the account was disabled.',
  google_connected:
    'A Google account was connected, by joining at its first sign-in or by a signed-in user; `detail` is its address.',
  google_disconnected: 'The Google account was disconnected; `detail` is its address.',
  signed_out: 'A sign-in was ended; with `detail` operator, by the operator of the service.',
  google_not_restored:
    'A change of the address was undone, but a Google account of before was not connected again: it was connected in the week before, the change was asked for with it, or it belongs to another account now. `detail` is its address.',
  email_change_asked: 'A signed-in person asked to change the address; `detail` is the new one.',
  email_changed: 'The address was changed; `detail` is the new one.',
  email_change_undone:
    'The holder of a former address undid the change of it: every access token is revoked, and keys made since await the owner. `detail` is the address that the account has again.',
  tokens_revoked: 'Every access token was revoked; with `detail` operator, by the operator of the service.',
  key_created: 'An API key was created; with `detail` operator, by the operator of the service.',
  key_rotated: 'An API key got a new secret.',
  key_kept: 'An API key that awaited the owner works again.',
  key_restricted: 'What an API key may do was changed; with `detail` widened, it may do more than before.',
  key_revoked: 'An API key was revoked; with `detail` operator, by the operator of the service.',
  key_leaked: 'The secret of an API key was found in public, and the key was revoked; `detail` says where.',
  key_expiring: 'The owner was notified that an API key is about to expire.',
  exchange_refused:
    'An exchange was refused: the secret was wrong, the API key is not active, or the call came from outside of its networks; `detail` says which.',
  limit_hit: 'A rate limit refused a call; `detail` names the limit.',
  renamed: 'The display name was changed.',
  exported: 'The account’s data was exported.',
  payment_link_deactivated: 'Payment links were deactivated; `times` says how many.',
  not_me: 'Somebody with access to the mailbox reported a mail with "this wasn’t me".',
  mail_resumed: 'The pause of mails to this address was ended.',
  deletion_asked: 'The account was deleted. It is erased when the change of its address can no longer be undone.',
  account_disabled:
    'The operator of the service disabled the account: nobody can sign in to it, and every access token is revoked.',
  account_enabled: 'The operator of the service enabled the account again.',
} as const

export type EventType = keyof typeof eventTypes

const kindOf = {
  account_created: 'account',
  signup_refused: 'account',
  account_claimed: 'account',
  signed_in: 'sign_in',
  sign_in_refused: 'sign_in',
  google_connected: 'sign_in',
  google_disconnected: 'sign_in',
  signed_out: 'sign_in',
  google_not_restored: 'sign_in',
  email_change_asked: 'account',
  email_changed: 'account',
  email_change_undone: 'account',
  tokens_revoked: 'sign_in',
  key_created: 'api_key',
  key_rotated: 'api_key',
  key_kept: 'api_key',
  key_restricted: 'api_key',
  key_revoked: 'api_key',
  key_leaked: 'api_key',
  key_expiring: 'api_key',
  exchange_refused: 'api_key',
  limit_hit: 'account',
  renamed: 'account',
  exported: 'account',
  payment_link_deactivated: 'payment_link',
  not_me: 'sign_in',
  mail_resumed: 'account',
  deletion_asked: 'account',
  account_disabled: 'account',
  account_enabled: 'account',
} as const satisfies Record<EventType, string>

/** The `detail` of `key_restricted` where a key may do more than before. */
export const WIDENED = 'widened'

/** What a thief may have caused. */
export const alertTypes: readonly EventType[] = ['not_me', 'key_leaked', 'exchange_refused', 'sign_in_refused']

/** Filters of the list. Each type has one of the first four kinds; alerts are of any. */
export const eventKinds = ['sign_in', 'api_key', 'payment_link', 'account', 'alert'] as const

export type EventKind = (typeof eventKinds)[number]

export const typesOfKind = (kind: EventKind): readonly EventType[] =>
  kind === 'alert' ? alertTypes : (Object.keys(kindOf) as EventType[]).filter((type) => kindOf[type] === kind)

/** Failures change nothing on the account, and strangers can cause any number of them. */
export const failureTypes = [
  'sign_in_refused',
  'signup_refused',
  'exchange_refused',
  'limit_hit',
] as const satisfies readonly EventType[]

/** Hidden until the claim: these types tell about the mailbox or the address, and who signed up may own neither. */
export const hiddenUntilClaimed: readonly EventType[] = [
  'not_me',
  'mail_resumed',
  'sign_in_refused',
  'signup_refused',
  'limit_hit',
]

export type NewEvent = Readonly<{
  userId: string
  type: EventType
  /** Record id of the affected key. */
  apiKeyId?: string
  /** The affected sign-in. */
  signInId?: string
  detail?: string | undefined
}>

/** The request that caused an event: its network, its browser and its token's key or sign-in are stored. */
export type EventSource = Readonly<{
  ip: string
  browser: string | null
  caller: Pick<Caller, 'apiKeyId' | 'signInId'> | null
}>

/**
 * Writes an event. The caller holds the user's lock.
 * @param source absent when no request caused it
 */
export async function recordEvent(
  trx: Transaction,
  deps: EventDeps,
  event: NewEvent,
  source?: EventSource,
): Promise<void> {
  await insertEvent(trx, toEvent(deps, event, source))
}

const REPEATED_WITHIN_MS = 3_600_000
/** Bound on distinct events of a type per hour; one more collects all further callers. */
const MAX_DISTINCT = 20

/**
 * Counts what one key or person does from one network within an hour, to one key if it is about keys, in one event. The
 * caller holds the user's lock.
 */
export async function recordRepeatedEvent(
  trx: Transaction,
  deps: EventDeps,
  event: NewEvent,
  source: EventSource,
): Promise<void> {
  const row = toEvent(deps, event, source)
  const fromMs = row.at_ms - (row.at_ms % REPEATED_WITHIN_MS)
  const span = { fromMs, beforeMs: fromMs + REPEATED_WITHIN_MS }
  const all = await findEventsBetween(trx, row.user_id, [row.type], span)
  const stored = all.filter(({ detail }) => detail === row.detail)
  const merged =
    stored.length < MAX_DISTINCT
      ? row
      : { ...row, client: null, api_key_id: null, by_api_key_id: null, by_sign_in_id: null, browser: null }
  const known = stored.find((one) => isAlike(one, row)) ?? stored.find((one) => isAlike(one, merged))
  await (known === undefined
    ? insertEvent(trx, merged)
    : incrementTimes(trx, known.id, { more: 1, browser: sameOrNull(known.browser, row.browser) }))
}

const isAlike = (one: SecurityEvent, other: SecurityEvent): boolean =>
  one.client === other.client &&
  one.api_key_id === other.api_key_id &&
  one.by_api_key_id === other.by_api_key_id &&
  one.by_sign_in_id === other.by_sign_in_id

/** The browser of an event that combines several calls: one name only if all have it. */
export const sameOrNull = (one: string | null, other: string | null): string | null => (one === other ? one : null)

function toEvent(
  { clock, random }: EventDeps,
  { userId, type, apiKeyId, signInId, detail }: NewEvent,
  source?: EventSource,
): SecurityEvent {
  return {
    id: random.uuid(),
    user_id: userId,
    type,
    at_ms: clock.now(),
    client: source === undefined ? null : clientNetwork(source.ip),
    api_key_id: apiKeyId ?? null,
    by_api_key_id: source?.caller?.apiKeyId ?? null,
    sign_in_id: signInId ?? null,
    by_sign_in_id: source?.caller?.signInId ?? null,
    detail: detail ?? null,
    times: 1,
    browser: source?.browser ?? null,
  }
}
