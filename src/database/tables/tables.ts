import type { AddressChangesTable } from './address-change-table.ts'
import type { MailKind, QueuedMailsTable, SpelledMailboxesTable } from './mail-tables.ts'
import type { ExchangeRatesTable, IdempotencyKeysTable, PaymentLinksTable } from './payment-tables.ts'

export interface UsersTable {
  id: string
  /** The stored form of the address; a deleted account has its own id here, which is not an address. */
  email: string
  role: string
  name: string | null
  token_version: number
  /** When the address was first proven; null: never. */
  claimed_at_ms: number | null
  created_at_ms: number
  /** The language of mails about the account; null: unknown. */
  locale: string | null
  /** Finally only this row of a deleted account remains, so that its tokens stay invalid. */
  deleted_at_ms: number | null
  /** Since when its credentials are refused; null: they work. On a deleted account: set while rows remain to erase. */
  disabled_at_ms: number | null
  /** Payment links created, on a claimed account since the claim; null: not counted yet. */
  payment_link_count: number | null
}

/** The secret is stored as a hash only. */
export interface ApiKeysTable {
  id: string
  user_id: string
  name: string
  /** Public, `plk_…`. */
  key_id: string
  secret_hash: string
  created_at_ms: number
  expires_at_ms: number | null
  /** Since when the key waits for the owner's decision to keep it; null: it does not. */
  awaits_owner_at_ms: number | null
  revoked_at_ms: number | null
  last_used_at_ms: number | null
  /** The client network of that use: an IPv4 address or an IPv6 /64; null: none, or one before this column. */
  last_used_network: string | null
  rotated_at_ms: number | null
  /** The secret before the last rotation, accepted until its grace period ends. */
  previous_secret_hash: string | null
  previous_secret_until_ms: number | null
  /** When the owner was notified that the key expires within a week, and within a day. */
  week_notice_at_ms: number | null
  day_notice_at_ms: number | null
  /** The first key of the chain in which each key's token created the next; null: a sign-in created this key. */
  family_id: string | null
  /** JSON of its own restrictions (domain/keys/restrictions/restrictions.ts); null: none. */
  restrictions: string | null
  /** The same together with those of the keys above it, which the guard reads. */
  effective_restrictions: string | null
  /**
   * The key whose token created this one, or the next one above it that is still on record; null: none, or a key from
   * before this column.
   */
  creator_id: string | null
}

/** What a key's tokens made payment links for on a day (UTC). */
export interface KeyAmountsTable {
  key_id: string
  /** `2026-11-23`. */
  day: string
  currency: string
  /** Minor units. */
  amount: number
  user_id: string
}

/** How often a key was exchanged and refused on a day (UTC). */
export interface KeyDailyUsesTable {
  key_id: string
  /** `2026-11-23`. */
  day: string
  exchanges: number
  refusals: number
  user_id: string
}

/** A person's sign-in. It is live while its user's `token_version` is this one, and it is neither ended nor expired. */
export interface SignInsTable {
  /** Also the `sid` of its tokens. */
  id: string
  user_id: string
  method: 'magic_link' | 'google'
  token_version: number
  created_at_ms: number
  expires_at_ms: number
  /** Written at most every five minutes. */
  last_seen_at_ms: number
  ended_at_ms: number | null
  /** From a closed list (`src/lib/browser-words.ts`); null: a program, or unknown. */
  browser: string | null
  /** The client network: an IPv4 address or an IPv6 /64. */
  client: string
  /** 1: no sign-in before it was from this browser, and the owner was told. */
  is_new_browser: number
}

/** A revoked key whose record was deleted: a restore of an older backup does not revive it. */
export interface RevokedKeysTable {
  /** The key's record id. */
  id: string
  revoked_at_ms: number
}

/** An unused magic link; its token is stored as a hash only. */
export interface MagicLinksTable {
  token_hash: string
  email: string
  redirect_to: string | null
  expires_at_ms: number
}

/** Who created, rotated, widened or kept a key, and can therefore use it. */
export interface KeyMakersTable {
  /** Derived from key, action, maker and day: one row per day (docs/decisions/0032). */
  id: string
  user_id: string
  /** The key; the account's own id stands for all keys whose records were deleted. */
  key_id: string
  /** `widened`: what it may do (`restrictions`). */
  how: 'created' | 'rotated' | 'widened' | 'kept'
  /** The key whose token did it; null: a sign-in did. */
  maker_key_id: string | null
  /** The sign-in that did it; null: a key's token did. */
  sign_in_id: string | null
  /** The first time. */
  at_ms: number
  /** The last time; null: there was one. */
  last_at_ms: number | null
}

/** What happened on an account: when, from where, by which key. */
export interface SecurityEventsTable {
  id: string
  user_id: string
  type: string
  at_ms: number
  /** The client network: an IPv4 address or an IPv6 /64; null: no caller. */
  client: string | null
  api_key_id: string | null
  /** The key whose token did it; null: none. */
  by_api_key_id: string | null
  /** The sign-in that the event is about. */
  sign_in_id: string | null
  /** The sign-in whose token did it; null: none, or one of an earlier version. */
  by_sign_in_id: string | null
  detail: string | null
  /** Failures and limit hits within an hour share one row. */
  times: number
  /** From a closed list (`src/lib/browser-words.ts`); null: unknown, no browser, or several. */
  browser: string | null
}

/** A button in a mail; its token is stored as a hash only. */
export interface MailButtonsTable {
  token_hash: string
  action: 'not_me' | 'resume_mail' | 'confirm_email' | 'undo_email'
  email: string
  mail_kind: MailKind
  mailed_at_ms: number
  expires_at_ms: number
  /** Hash of the sign-in link in the same mail. */
  link_hash: string | null
  /** The sign-in by that link. */
  sign_in_id: string | null
  /** The mail reports events since this time. */
  tells_since_ms: number | null
  used_at_ms: number | null
}

/** An address whose holder paused mail. */
export interface MailPausesTable {
  email: string
  paused_at_ms: number
  /** When the last mail was sent despite the pause. */
  mailed_at_ms: number | null
}

/** An OpenID provider's account that signs in to an account here; at most one per provider and account. */
export interface IdentitiesTable {
  issuer: string
  /** The `sub` of its ID tokens, its only stable attribute. */
  subject: string
  user_id: string
  /** Its last known address, for display; never grants access. */
  email: string
  connected_at_ms: number
  /** The sign-in that connected it. */
  sign_in_id: string
}

/** Single-use credentials that were used, until they would have expired. */
export interface SpentCredentialsTable {
  hash: string
  expires_at_ms: number
}

/** Unused (decision 0035); upkeep deletes rows of earlier versions. */
export interface RateLimitWindowsTable {
  key: string
  points: number
  expire: number | null
}

/** A token bucket that is not full. On the embedded database only mail budgets. */
export interface RateLimitBucketsTable {
  key: string
  full_at_ms: number
}

/** The last change of an account that services behind are told about; kept with the tombstone of a deleted one. */
export interface AccountChangesTable {
  user_id: string
  kind: 'deleted' | 'disabled' | 'enabled'
  at_ms: number
  /** Rises in the order of the commits; a new change of the account gets a new one. */
  position: number
}

/** One row with the last position; its lock puts the commits in order. */
export interface AccountChangeCounterTable {
  id: string
  position: number
}

/** All times are milliseconds since the Unix epoch. */
export interface Tables {
  users: UsersTable
  api_keys: ApiKeysTable
  key_amounts: KeyAmountsTable
  key_daily_uses: KeyDailyUsesTable
  key_makers: KeyMakersTable
  revoked_keys: RevokedKeysTable
  sign_ins: SignInsTable
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
  account_changes: AccountChangesTable
  account_change_counter: AccountChangeCounterTable
  address_changes: AddressChangesTable
}
