/** The languages of mails and pages. */
export const languages = ['en', 'ro'] as const

/** BCP 47. */
export type Language = (typeof languages)[number]

export const DEFAULT_LANGUAGE: Language = 'en'
