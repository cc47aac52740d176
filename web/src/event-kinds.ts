/** Which events are of which kind, as the service filters them. A test compares the two. */
import type { Answer, Parameters } from './operations.ts'

export type EventType = Answer<'GET /auth/events'>['events'][number]['type']

export type EventKind = NonNullable<NonNullable<Parameters<'GET /auth/events'>['query']>['kind']>

export const kindOf: Readonly<Record<EventType, Exclude<EventKind, 'alert'>>> = {
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
  app_connected: 'api_key',
  app_disconnected: 'api_key',
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
}

export const alerts: ReadonlySet<EventType> = new Set<EventType>([
  'not_me',
  'key_leaked',
  'exchange_refused',
  'sign_in_refused',
])
