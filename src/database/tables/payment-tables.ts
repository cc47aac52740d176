export interface PaymentLinksTable {
  id: string
  user_id: string
  /** The key whose token created it; null: a sign-in did. */
  api_key_id: string | null
  title: string
  reference: string | null
  /** In minor units. */
  amount: number
  currency: string
  created_at_ms: number
  expires_at_ms: number | null
  deactivated_at_ms: number | null
  /** When the account that created it had been claimed; null: it was unclaimed, so anybody may have created the link. */
  claimed_at_ms: number | null
}

export interface ExchangeRatesTable {
  currency: string
  /** `YYYY-MM-DD` */
  date: string
  /** The price of one unit in RON, as an exact decimal. */
  ron_per_unit: string
}

/** The answer to a request with an Idempotency-Key, for replays. */
export interface IdempotencyKeysTable {
  user_id: string
  key_hash: string
  /** Covers everything that the answer depends on. */
  request_hash: string
  answer: string
  created_at_ms: number
}
