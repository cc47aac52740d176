/** Browsers and systems in words, as the service names them in English. */
import { inLanguage } from './language.ts'

const words = inLanguage({
  en: { on: ' on ', unknown: 'A program, or an unknown browser' },
  ro: { on: ' pe ', unknown: 'Un program sau un browser necunoscut' },
})

/** "Chrome on Windows", for example. */
export const browserName = ({ browser, system }: Readonly<{ browser: string | null; system: string | null }>): string =>
  browser === null ? words.unknown : [browser, ...(system === null ? [] : [system])].join(words.on)

/** @param english "Chrome on Windows", for example */
export const inWords = (english: string): string => english.replace(' on ', words.on)
