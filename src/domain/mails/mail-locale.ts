/** The languages of mails. */

/** The languages of mails; the first is the default. */
export const locales = ['en', 'ro'] as const

/** A language of mails (BCP 47). */
export type Locale = (typeof locales)[number]
