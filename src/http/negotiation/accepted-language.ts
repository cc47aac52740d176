import type { IncomingMessage } from 'node:http'
import { DEFAULT_LANGUAGE, languages } from '../../domain/languages.ts'
import type { Language } from '../../domain/languages.ts'
import { negotiatorOf } from './negotiation.ts'

/** The language of a request by its `Accept-Language`: that of a mail it causes, and of a page without a cookie. */
export function acceptedLanguage(request: IncomingMessage): Language {
  return (negotiatorOf(request).language([...languages]) as Language | undefined) ?? DEFAULT_LANGUAGE
}
