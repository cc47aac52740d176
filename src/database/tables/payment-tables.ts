/** The tables of payment links, as their rows are. */

/** A payment link: an amount, in the currency it was made in, that somebody may pay. */
export interface PaymentLinksTable {
  id: string
  user_id: string
  /** The key whose token made it; null: a person's sign-in did. */
  api_key_id: string | null
  title: string
  reference: string | null
  /** In minor units. */
  amount: number
  currency: string
  created_at_ms: number
  expires_at_ms: number | null
  deactivated_at_ms: number | null
  /** When the account had been claimed that it was made in; null: it had not, and anybody may have made it. */
  claimed_at_ms: number | null
}

/** A reference rate of a day. */
export interface ExchangeRatesTable {
  currency: string
  /** The day it was set for, `YYYY-MM-DD`. */
  date: string
  /** An exact decimal number: what one unit of the currency is in RON. */
  ron_per_unit: string
}

/** What a request with an Idempotency-Key was answered, for when it comes again. */
export interface IdempotencyKeysTable {
  user_id: string
  key_hash: string
  /** Of all that the answer depends on. */
  request_hash: string
  answer: string
  created_at_ms: number
}
