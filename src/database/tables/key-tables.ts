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
  /** `app`: the access of an app, which has no secret, and the next three columns (docs/decisions/0064). */
  kind: 'key' | 'app'
  /** The URL of the app's client metadata document. */
  client_id: string | null
  /** What its tokens are for (domain/sign-in/resources.ts). */
  resource: 'api' | 'mcp' | null
  /** The account's at the consent; of another value its tokens are revoked. */
  token_version: number | null
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

/** A revoked key whose record was deleted: a restore of an older backup does not revive it. */
export interface RevokedKeysTable {
  /** The key's record id. */
  id: string
  revoked_at_ms: number
}
