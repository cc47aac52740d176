/** The only way to a terminal. Names of files, keys and users, and what servers say, cannot move, hide or repaint anything there. */
import { createInterface } from 'node:readline/promises'
import { styleText } from 'node:util'

// Controls (U+009B too begins an escape sequence), formats such as bidi overrides, line separators, and what nobody sees.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const UNPRINTABLE_IN_JSON = /[\u007f-\u009f\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu
const WITHOUT_WIDTH = /[\p{Mn}\p{Me}]/u
const TWO_COLUMNS =
  /[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\u3000-\u303e\uff01-\uff60\uffe0-\uffe6]/u

/** Text of a line; only its style reaches the terminal as it is. */
export type LinePart = string | Readonly<{ style: 'dim' | 'green' | 'red'; text: string }>

/** The text on one line, every unprintable character as `\u{…}`. */
export function visible(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)
}

/** The same JSON, safe to show: it parses to the same value. Line feeds stay, which in JSON stand between values only. */
export function visibleJson(json: string): string {
  return json.replace(UNPRINTABLE_IN_JSON, (char) =>
    Array.from({ length: char.length }, (_, at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

/** How many columns of a terminal a visible text takes. */
export function columnsOf(text: string): number {
  let columns = 0
  for (const char of text) columns += WITHOUT_WIDTH.test(char) ? 0 : TWO_COLUMNS.test(char) ? 2 : 1
  return columns
}

/** Writes one line to standard output, whatever its parts hold. */
export function writeLine(...parts: readonly LinePart[]): void {
  console.log(toLine(parts, process.stdout))
}

/** Writes one line to standard error, whatever its parts hold. */
export function writeErrorLine(...parts: readonly LinePart[]): void {
  console.error(toLine(parts, process.stderr))
}

/** Writes one JSON document to standard output. */
export function writeJson(document: unknown): void {
  console.log(visibleJson(JSON.stringify(document, null, 2)))
}

/** Whether a person looks at standard error; only then is work in progress told, and only then can anybody be asked. */
export const isWatched = (): boolean => process.stderr.isTTY

/** Asks on standard error. The end of standard input, and an interrupt, are an empty answer. */
export async function ask(question: string): Promise<string> {
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  const gone = new AbortController()
  asking.once('close', () => gone.abort())
  const asked = asking.question(visible(question), { signal: gone.signal })
  return asked.catch(() => '').finally(() => asking.close())
}

/** Calls back when standard output cannot be written: its reader has had enough, as `head` does (`EPIPE`), or it failed. */
export function onOutputError(callBack: (error: NodeJS.ErrnoException) => void): void {
  process.stdout.on('error', callBack)
}

function toLine(parts: readonly LinePart[], stream: NodeJS.WriteStream): string {
  return parts
    .map((part) => (typeof part === 'string' ? visible(part) : styleText(part.style, visible(part.text), { stream })))
    .join('')
}
