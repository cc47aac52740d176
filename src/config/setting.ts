/** One setting: its name in the environment, its parser, its default and its reason. */
import type { Parser } from './parsers.ts'

/** A setting. */
export type Setting<T> = Readonly<{
  name: string
  parse: Parser<T>
  /** What is parsed when the variable is not set; absent: the setting then has no value. */
  defaultText?: string
  /** Said in the documentation where the default is computed from other settings. */
  defaultNote?: string
  /** May also come as `NAME_FILE`, and is never shown. */
  isSecret?: true
  why: string
}>

/** Keeps the type of a setting's value. */
export const setting = <T>(definition: Setting<T>): Setting<T> => definition
