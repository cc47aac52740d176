/** The tables: one type each. */
import type { MailKind, QueuedMailsTable, SpelledMailboxesTable } from './mail-tables.ts'
import type { ExchangeRatesTable, IdempotencyKeysTable, PaymentLinksTable } from './payment-tables.ts'

/** A person's or a program's account. */
export interface UsersTable {
  id: string
  /** The stored form of the address; of a deleted account its own id, which is nobody's address. */
  email: string
  role: string
  name: string | null
  token_version: number
  /** When the address was first proven; null: never. */
  claimed_at_ms: number | null
  created_at_ms: number
  /** The language for mails about the account; null: none is known. */
  locale: string | null
  /** Of a deleted account only this row is left in the end, so that its tokens stay dead. */
  deleted_at_ms: number | null
  /** Since when none of its credentials work; null: they do. Set on a deleted account until all of its rows are gone. */
  disabled_at_ms: number | null
  /** Payment links made, since the claim on a claimed account; null: not counted yet. */
  payment_link_count: number | null
}

/** An API key. Its secret is here as a hash only. */
export interface ApiKeysTable {
  id: string
  user_id: string
  name: string
  /** The public credential id, `plk_…`. */
  key_id: string
  secret_hash: string
  created_at_ms: number
  expires_at_ms: number | null
  /** Since when the key waits for the owner to keep it; null: it does not. */
  awaits_owner_at_ms: number | null
  revoked_at_ms: number | null
  last_used_at_ms: number | null
  rotated_at_ms: number | null
  /** The secret before the last rotation, which works until its grace ends. */
  previous_secret_hash: string | null
  previous_secret_until_ms: number | null
  /** When the owner was told that the key expires within a week, and within a day. */
  week_notice_at_ms: number | null
  day_notice_at_ms: number | null
  /** The first of the keys whose tokens led to this one, each making the next; null: no key's token made it. */
  family_id: string | null
}

/** A magic link that is out. Its token is here as a hash only; a used link has no row. */
export interface MagicLinksTable {
  token_hash: string
  email: string
  redirect_to: string | null
  expires_at_ms: number
}

/** Who made, rotated or kept a key: whoever did can use it. */
export interface KeyMakersTable {
  /** Of the same key, deed and maker there is one row: made of them (docs/decisions/0032). */
  id: string
  user_id: string
  /** The key; the account's own id stands for all keys that are no longer on record. */
  key_id: string
  how: 'created' | 'rotated' | 'kept'
  /** The key whose token did it; null: a sign-in did. */
  maker_key_id: string | null
  /** The sign-in (`jti` of its token) that did it; null: a key's token did. */
  sign_in_id: string | null
  /** The first time. */
  at_ms: number
  /** The last time; null: there was one. */
  last_at_ms: number | null
}

/** What a user can look up later: what happened on the account, when, from where, by which key. */
export interface SecurityEventsTable {
  id: string
  user_id: string
  type: string
  at_ms: number
  /** The client's network: an IPv4 address or an IPv6 /64; null: nobody called. */
  client: string | null
  /** The key it happened to. */
  api_key_id: string | null
  /** The key whose token did it; null: no key's. */
  by_api_key_id: string | null
  detail: string | null
  /** How often: failures and limit hits of an hour are one row. */
  times: number
}

/** A button in a mail. Its token is here as a hash only. */
export interface MailButtonsTable {
  token_hash: string
  action: 'not_me' | 'resume_mail'
  email: string
  mail_kind: MailKind
  mailed_at_ms: number
  expires_at_ms: number
  /** The sign-in link of the same mail, as its hash. */
  link_hash: string | null
  /** The sign-in (`jti` of its token) that used that link. */
  sign_in_id: string | null
  /** From when on the mail tells what happened. */
  tells_since_ms: number | null
  used_at_ms: number | null
}

/** An address whose holder asked for peace. */
export interface MailPausesTable {
  email: string
  paused_at_ms: number
  /** When the last mail went out in spite of it. */
  mailed_at_ms: number | null
}

/** An account at an OpenID provider that signs in to an account here. An account has one of each provider at most. */
export interface IdentitiesTable {
  issuer: string
  /** The `sub` of its ID tokens: the one thing about it that never changes. */
  subject: string
  user_id: string
  /** Its address when it was last seen; shown to its user, and never a reason to let anybody in. */
  email: string
  connected_at_ms: number
  /** The sign-in (`jti` of its token) that connected it. */
  sign_in_id: string
}

/** What works once and was used, until it would have expired anyway. */
export interface SpentCredentialsTable {
  hash: string
  expires_at_ms: number
}

/** Unused (decision 0035); the upkeep deletes what earlier versions counted. */
export interface RateLimitWindowsTable {
  key: string
  points: number
  expire: number | null
}

/** A token bucket that is not full. On the embedded database: the budgets of mail only. */
export interface RateLimitBucketsTable {
  key: string
  full_at_ms: number
}

/** All tables. Times are milliseconds since the Unix epoch. */
export interface Tables {
  users: UsersTable
  api_keys: ApiKeysTable
  key_makers: KeyMakersTable
  magic_links: MagicLinksTable
  queued_mails: QueuedMailsTable
  spelled_mailboxes: SpelledMailboxesTable
  mail_buttons: MailButtonsTable
  mail_pauses: MailPausesTable
  security_events: SecurityEventsTable
  payment_links: PaymentLinksTable
  exchange_rates: ExchangeRatesTable
  idempotency_keys: IdempotencyKeysTable
  identities: IdentitiesTable
  spent_credentials: SpentCredentialsTable
  rate_limit_windows: RateLimitWindowsTable
  rate_limit_buckets: RateLimitBucketsTable
}
