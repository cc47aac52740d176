import type { IncomingMessage } from 'node:http'
import Negotiator from 'negotiator'
import { locales } from '../domain/mails/mail-locale.ts'
import type { Locale } from '../domain/mails/mail-locale.ts'

/** The language of a mail caused by this request, by its `Accept-Language`. */
export function mailLocale(request: IncomingMessage): Locale {
  return (new Negotiator(request).language([...locales]) as Locale | undefined) ?? 'en'
}
