/** The language of the pages: the person's choice, or else the browser's first supported language. */
import { reload } from './fragment.ts'
import { storage } from './storage.ts'

export type Language = 'en' | 'ro'

const CHOSEN = 'language'

function isLanguage(name: string | null | undefined): name is Language {
  return name === 'en' || name === 'ro'
}

function findLanguage(): Language {
  const chosen = storage.read(CHOSEN)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

export const language = findLanguage()

export function inLanguage<W>(words: Readonly<Record<Language, W>>): W {
  return words[language]
}

export function chooseLanguage(chosen: Language): void {
  storage.write(CHOSEN, chosen)
  reload()
}
