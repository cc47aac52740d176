/** Security events: what happened on an account, written in the transaction of what it records. */
import type { Transaction } from '../../database/database.ts'
import type { DomainDeps } from '../deps.ts'
import { clientNetwork } from '../../lib/network.ts'
import type { Caller } from '../sign-in/authority.ts'
import { addTimes, findEventsBetween, insertEvent } from './event-store.ts'
import type { SecurityEvent } from './event-store.ts'

/** What can happen on an account, each with what it says to its user. */
export const eventTypes = {
  account_created: 'The account was made, by signup or a first sign-in.',
  signup_refused: 'Somebody tried to sign up with this address.',
  account_claimed: 'The address was proven: what was made before waits for the owner.',
  signed_in: 'A person signed in; `detail` says how.',
  sign_in_refused:
    'A link of this address was used again, or after its time; with `detail` google, a Google account with this address is not connected; with `detail` disabled, a link was asked for while the account was disabled.',
  google_connected:
    'A Google account was connected, by joining at its first sign-in or by a signed-in user; `detail` is its address.',
  google_disconnected: 'The Google account was disconnected; `detail` is its address.',
  tokens_revoked: 'Every access token was made invalid; with `detail` operator, by whoever runs the service.',
  key_created: 'An API key was made; with `detail` operator, by whoever runs the service.',
  key_rotated: 'An API key got a new secret.',
  key_kept: 'An API key that waited for the owner works again.',
  key_revoked: 'An API key was revoked; with `detail` operator, by whoever runs the service.',
  key_leaked: 'The secret of an API key was found in the open, and the key revoked; `detail` says where.',
  key_expiring: 'The owner was told that an API key is about to expire.',
  exchange_refused: 'An API key’s id came with a wrong secret, or the key was not in force.',
  limit_hit: 'A rate limit refused a call; `detail` names the limit.',
  renamed: 'The display name was changed.',
  exported: 'Everything held about the account was read.',
  payment_link_deactivated: 'Payment links were deactivated; `times` says how many.',
  not_me: 'Somebody with access to the mailbox said that a mail was not theirs.',
  mail_resumed: 'The pause of mails that others can cause was lifted.',
  account_disabled:
    'Whoever runs the service disabled the account: nothing signs in to it, and every access token is dead.',
  account_enabled: 'Whoever runs the service enabled the account again.',
} as const

/** The name of one of the things that can happen. */
export type EventType = keyof typeof eventTypes

/** What changes nothing on the account, and strangers can cause as often as they like. */
export const failureTypes = [
  'sign_in_refused',
  'signup_refused',
  'exchange_refused',
  'limit_hit',
] as const satisfies readonly EventType[]

/**
 * What is not shown until the address is proven: it tells what was done with the mailbox or the
 * address, and whoever signed up with it may be neither's owner. The owner sees it all afterwards.
 */
export const hiddenUntilClaimed: readonly EventType[] = [
  'not_me',
  'mail_resumed',
  'sign_in_refused',
  'signup_refused',
  'limit_hit',
]

/** What happened; when, from where and by which key is added. */
export type Happening = Readonly<{
  userId: string
  type: EventType
  /** The key it happened to (record id). */
  apiKeyId?: string
  detail?: string | undefined
}>

/** Who caused it: a request, of which the address and the key of its token are kept. */
export type EventSource = Readonly<{ ip: string; caller: Pick<Caller, 'apiKeyId'> | null }>

/**
 * Writes an event. The caller holds the user's lock.
 * @param source absent: nobody caused it, the time came
 */
export async function recordEvent(
  trx: Transaction,
  deps: Pick<DomainDeps, 'clock' | 'random'>,
  happening: Happening,
  source?: EventSource,
): Promise<void> {
  await insertEvent(trx, toEvent(deps, happening, source))
}

/** Within which alike happenings are one event, in milliseconds. */
const REPEATED_WITHIN_MS = 3_600_000
/** How many events of a type an hour tells apart; one more is for all further callers. */
const MOST_APART = 20

/**
 * Writes an event of what may happen any number of times: what one key or person does from one network within an
 * hour is counted in one. The caller holds the user's lock.
 */
export async function recordRepeated(
  trx: Transaction,
  deps: Pick<DomainDeps, 'clock' | 'random'>,
  happening: Happening,
  source: EventSource,
): Promise<void> {
  const event = toEvent(deps, happening, source)
  const fromMs = event.at_ms - (event.at_ms % REPEATED_WITHIN_MS)
  const span = { fromMs, beforeMs: fromMs + REPEATED_WITHIN_MS }
  const stored = await findEventsBetween(trx, event.user_id, [event.type], span)
  const merged = stored.length < MOST_APART ? event : { ...event, client: null, by_api_key_id: null }
  const known = stored.find((one) => isAlike(one, event)) ?? stored.find((one) => isAlike(one, merged))
  await (known === undefined ? insertEvent(trx, merged) : addTimes(trx, known.id, 1))
}

const isAlike = (one: SecurityEvent, other: SecurityEvent): boolean =>
  one.client === other.client && one.by_api_key_id === other.by_api_key_id

function toEvent(
  { clock, random }: Pick<DomainDeps, 'clock' | 'random'>,
  { userId, type, apiKeyId, detail }: Happening,
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
