/** The languages of mails; the first is the default. */
export const locales = ['en', 'ro'] as const

/** BCP 47. */
export type Locale = (typeof locales)[number]
