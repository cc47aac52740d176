/** What a sample is made of. The modules of this folder know no browser: tests run what they return. */

export type Values = Readonly<{
  /** URL of the API, including `/api/v1`. */
  baseUrl: string
  keyId: string
  keySecret: string
}>

/** A whole program: exchanges the key for a token, creates a payment link and prints its URL. */
export type Sample = Readonly<{
  language: string
  file: string
  /** Commands that run `file`. */
  run: string
  program(values: Values): string
}>

/** Stands for a key until the reader has one. */
export const placeholderKey = { keyId: 'plk_…', keySecret: 'pls_…' } as const

/** The payment link that every sample creates. The key makes a repeated call return the same link. */
export const exampleLink = {
  amount: 245_000,
  currency: 'EUR',
  title: 'Website design',
  reference: 'INV-2026-014',
  idempotencyKey: 'INV-2026-014',
} as const
