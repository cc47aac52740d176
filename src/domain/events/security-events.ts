import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'
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
  tokens_revoked: 'Every access token was revoked; with `detail` operator, by the operator of the service.',
  key_created: 'An API key was created; with `detail` operator, by the operator of the service.',
  key_rotated: 'An API key got a new secret.',
  key_kept: 'An API key that awaited the owner works again.',
  key_revoked: 'An API key was revoked; with `detail` operator, by the operator of the service.',
  key_leaked: 'The secret of an API key was found in the open, and the key was revoked; `detail` says where.',
  key_expiring: 'The owner was notified that an API key is about to expire.',
  exchange_refused: 'An exchange was refused: the secret was wrong, or the API key is not active.',
  limit_hit: 'A rate limit refused a call; `detail` names the limit.',
  renamed: 'The display name was changed.',
  exported: 'The account’s data was exported.',
  payment_link_deactivated: 'Payment links were deactivated; `times` says how many.',
  not_me: 'Somebody with access to the mailbox reported a mail with "this wasn’t me".',
  mail_resumed: 'The pause of mails to this address was ended.',
  account_disabled:
    'The operator of the service disabled the account: nobody can sign in to it, and every access token is revoked.',
  account_enabled: 'The operator of the service enabled the account again.',
} as const

export type EventType = keyof typeof eventTypes

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
  detail?: string | undefined
}>

/** The request that caused an event: its network and its token's key are stored. */
export type EventSource = Readonly<{ ip: string; caller: Pick<Caller, 'apiKeyId'> | null }>

/**
 * Writes an event. The caller holds the user's lock.
 * @param source absent when no request caused it
 */
export async function recordEvent(
  trx: Transaction,
  deps: Pick<DomainDeps, 'clock' | 'random'>,
  event: NewEvent,
  source?: EventSource,
): Promise<void> {
  await insertEvent(trx, toEvent(deps, event, source))
}

const REPEATED_WITHIN_MS = 3_600_000
/** Bound on distinct events of a type per hour; one more collects all further callers. */
const MAX_DISTINCT = 20

/**
 * Counts what one key or person does from one network within an hour in one event. The caller holds the user's lock.
 */
export async function recordRepeatedEvent(
  trx: Transaction,
  deps: Pick<DomainDeps, 'clock' | 'random'>,
  event: NewEvent,
  source: EventSource,
): Promise<void> {
  const row = toEvent(deps, event, source)
  const fromMs = row.at_ms - (row.at_ms % REPEATED_WITHIN_MS)
  const span = { fromMs, beforeMs: fromMs + REPEATED_WITHIN_MS }
  const stored = await findEventsBetween(trx, row.user_id, [row.type], span)
  const merged = stored.length < MAX_DISTINCT ? row : { ...row, client: null, by_api_key_id: null }
  const known = stored.find((one) => isAlike(one, row)) ?? stored.find((one) => isAlike(one, merged))
  await (known === undefined ? insertEvent(trx, merged) : incrementTimes(trx, known.id, 1))
}

const isAlike = (one: SecurityEvent, other: SecurityEvent): boolean =>
  one.client === other.client && one.by_api_key_id === other.by_api_key_id

function toEvent(
  { clock, random }: Pick<DomainDeps, 'clock' | 'random'>,
  { userId, type, apiKeyId, detail }: NewEvent,
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
    detail: detail ?? null,
    times: 1,
  }
}
