/**
 * All terminal output and input. Untrusted text (names of files, keys and users, server messages) cannot move the
 * cursor, hide or recolour output.
 */
import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'

// Control characters (U+009B starts an escape sequence too), formats such as bidirectional overrides, line separators,
// invisible characters.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const UNPRINTABLE_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}]/u
const TWO_COLUMNS =
  /[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u

/** Only the style reaches the terminal unescaped. */
export type LinePart = string | Readonly<{ style: 'dim' | 'green' | 'red'; text: string }>

/** One line; unprintable characters become `\u{…}`. */
export function visible(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}

/** Escapes JSON for display; it parses to the same value. Line feeds stay: in JSON they occur between values only. */
export function visibleJson(json: string): string {
  return json.replace(UNPRINTABLE_IN_JSON, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

export function columnsOf(text: string): number {
  let columns = 0
  for (const char of text) columns += WITHOUT_WIDTH.test(char) ? 0 : TWO_COLUMNS.test(char) ? 2 : 1
  return columns
}

export function writeLine(...parts: readonly LinePart[]): void {
  console.log(toLine(parts, process.stdout))
}

export function writeErrorLine(...parts: readonly LinePart[]): void {
  console.error(toLine(parts, process.stderr))
}

export function writeJson(document: unknown): void {
  console.log(visibleJson(JSON.stringify(document, null, 2)))
}

/** Whether standard error is a terminal. Progress and questions are written only then. */
export const isWatched = (): boolean => process.stderr.isTTY

/** Asks on standard error. End of input and interrupt count as an empty answer. */
export async function ask(question: string): Promise<string> {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  const gone = new AbortController()
  asking.once('close', () => gone.abort())
  const asked = asking.question(visible(question), { signal: gone.signal })
  return asked.catch(() => '').finally(() => asking.close())
}

/**
 * Called when standard output cannot be written, for example because `head` closed the pipe (`EPIPE`); in place of an
 * earlier callback.
 */
export function onOutputError(callBack: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.removeAllListeners('error').on('error', callBack)
}

function toLine(parts: readonly LinePart[], stream: NodeJS.WriteStream): string {
  return parts
    .map((part) => (typeof part === 'string' ? visible(part) : styleText(part.style, visible(part.text), { stream })))
    .join('')
}
