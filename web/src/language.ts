/** The language of the pages: what was chosen here, or else the first of the browser's that there is. */
import { reload } from './fragment.ts'
import { kept } from './kept.ts'

/** A language that the pages speak. */
export type Language = 'en' | 'ro'

const CHOSEN = 'language'

function isLanguage(name: string | null | undefined): name is Language {
  return name === 'en' || name === 'ro'
}

function findLanguage(): Language {
  const chosen = kept.read(CHOSEN)
  if (isLanguage(chosen)) return chosen
  return navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage) ?? 'en'
}

/** The language in use. */
export const language = findLanguage()

/** Picks the words of the language in use. */
export function inLanguage<W>(words: Readonly<Record<Language, W>>): W {
  return words[language]
}

/** Changes the language, here and from now on. */
export function chooseLanguage(chosen: Language): void {
  kept.write(CHOSEN, chosen)
  reload()
}
