/** The names of security events: the service's list (src/domain/events/security-events.ts), as a test checks. */

/** Everything that can happen on an account; each has words on the activity page. */
export const eventTypes = [
  'account_created',
  'signup_refused',
  'account_claimed',
  'signed_in',
  'sign_in_refused',
  'google_connected',
  'google_disconnected',
  'tokens_revoked',
  'key_created',
  'key_rotated',
  'key_kept',
  'key_revoked',
  'key_leaked',
  'key_expiring',
  'exchange_refused',
  'limit_hit',
  'renamed',
  'exported',
  'payment_link_deactivated',
  'not_me',
  'mail_resumed',
  'account_disabled',
  'account_enabled',
] as const

/** The name of one of them. */
export type EventType = (typeof eventTypes)[number]
