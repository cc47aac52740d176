/** The languages of mails, and which one a request asks for. */
import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'

/** The languages of mails; the first is the default. */
export const locales = ['en', 'ro'] as const

/** A language of mails (BCP 47). */
export type Locale = (typeof locales)[number]

/** The language for a mail that this request causes, by its `Accept-Language`. */
export function mailLocale(request: IncomingMessage): Locale {
  return (new Negotiator(request).language([...locales]) as Locale | undefined) ?? 'en'
}
