/** The app is built once per language. The build keeps only that language's words of each `inLanguage`. */

export type Language = 'en' | 'ro'

/** Set by web/vite.config.ts. */
declare const BUILD_LANGUAGE: Language

export const language = BUILD_LANGUAGE

/** Takes an object literal, which the build replaces with one of its values (web/one-language.ts). */
export function inLanguage<W>(words: Readonly<Record<Language, W>>): W {
  return words[language]
}
