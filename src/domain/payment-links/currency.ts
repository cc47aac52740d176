/** The currencies of payment links and of `X-Currency` (specification, section 5); the first is the default. */
export const currencies = ['RON', 'EUR', 'GBP'] as const

/** ISO 4217. */
export type Currency = (typeof currencies)[number]
