/** The currencies of payment links and of `X-Currency` (specification, section 5). */
export const currencies = ['RON', 'EUR', 'GBP'] as const

/** ISO 4217. */
export type Currency = (typeof currencies)[number]

export const DEFAULT_CURRENCY: Currency = 'RON'

/** The largest amount of a payment link. */
export const MAX_MINOR_UNITS = 99_999_999

/** `50.00 EUR`, for messages. @param amount in minor units; every currency here has a hundred per unit */
export const formatAmount = (amount: number, currency: Currency): string => `${(amount / 100).toFixed(2)} ${currency}`
