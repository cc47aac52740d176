/** The languages of mails and pages; the first is the default. */
export const languages = ['en', 'ro'] as const

/** BCP 47. */
export type Language = (typeof languages)[number]
