/** Language and theme, from cookies that the pages set: the server needs them before any script runs. */
import { parseCookie } from 'cookie'
import type { FastifyRequest } from 'fastify'
import { languages } from '../../domain/languages.ts'
import type { Language } from '../../domain/languages.ts'
import { acceptedLanguage } from './accepted-language.ts'

const themes = ['system', 'light', 'dark'] as const

export type Preferences = Readonly<{ language: Language; theme: (typeof themes)[number] }>

/** Responses that depend on it have `Vary: Accept-Language, Cookie`. */
export function preferencesOf(request: FastifyRequest): Preferences {
  const { language, theme } = parseCookie(request.headers.cookie ?? '')
  return {
    language: languages.find((known) => known === language) ?? acceptedLanguage(request.raw),
    theme: themes.find((known) => known === theme) ?? 'system',
  }
}
