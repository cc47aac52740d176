/** Language and theme, in cookies: the server reads them before it sends a page (src/http/negotiation/preferences.ts). */
import { reload } from './fragment.ts'
import type { Language } from './language.ts'

const YEAR_SECONDS = 365 * 24 * 3600

export const themes = ['system', 'light', 'dark'] as const

export type Theme = (typeof themes)[number]

function keep(name: 'language' | 'theme', value: string): void {
  const secure = location.protocol === 'https:' ? '; Secure' : ''
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_SECONDS}; SameSite=Lax${secure}`
}

/** Loads the same page in the other language. */
export function chooseLanguage(chosen: Language): void {
  keep('language', chosen)
  reload()
}

const root = document.documentElement

export const currentTheme = (): Theme => themes.find((theme) => theme === root.dataset['theme']) ?? 'system'

export function chooseTheme(chosen: Theme): void {
  keep('theme', chosen)
  root.dataset['theme'] = chosen
}
