import { inLanguage } from '../language.ts'

/** The API's limit of names, titles and references. The API counts an emoji once, a browser's `maxlength` twice. */
export const MAX_DISPLAY_LENGTH = 100

export const nameInvalid = inLanguage({
  en: `Write a name of up to ${MAX_DISPLAY_LENGTH} characters, without control characters.`,
  ro: `Scrie un nume de cel mult ${MAX_DISPLAY_LENGTH} de caractere, fără caractere de control.`,
})
