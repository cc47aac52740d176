import type { AddressChangesTable } from './address-change-table.ts'
import type { AuthorizationRequestsTable } from './authorization-request-table.ts'
import type {
  ApiKeysTable,
  KeyAmountsTable,
  KeyDailyUsesTable,
  KeyMakersTable,
  RevokedKeysTable,
} from './key-tables.ts'
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
  /** From a closed list (`src/lib/text/browser-words.ts`); null: a program, or unknown. */
  browser: string | null
  /** The client network: an IPv4 address or an IPv6 /64. */
  client: string
  /** 1: no sign-in before it was from this browser, and the owner was told. */
  is_new_browser: number
}

/** An unused magic link; its token is stored as a hash only. */
export interface MagicLinksTable {
  token_hash: string
  email: string
  redirect_to: string | null
  expires_at_ms: number
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
  /** From a closed list (`src/lib/text/browser-words.ts`); null: unknown, no browser, or several. */
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
  authorization_requests: AuthorizationRequestsTable
}
