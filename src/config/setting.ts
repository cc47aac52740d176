import type { Parser } from './parsers.ts'

export type Setting<T> = Readonly<{
  name: string
  parse: Parser<T>
  /** Parsed when the variable is unset; absent: the setting then has no value. */
  defaultText?: string
  /** Shown in the documentation when the default is computed from other settings. */
  defaultNote?: string
  /** Also accepted as `NAME_FILE`; never shown. */
  isSecret?: true
  why: string
}>

/** Preserves the type of the value. */
export const setting = <T>(definition: Setting<T>): Setting<T> => definition
