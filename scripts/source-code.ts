/**
 * A source file as the checks look at it: its code without what comments, texts and regular
 * expressions say, so that a word in one of them is never taken for code; and what it imports.
 */
import { posix } from 'node:path'

/** An import, a re-export or a dynamic import; one that names neither is known only when it runs. */
export type Import = Readonly<{
  /** From the root of the repository, where it is a file of ours. */
  file?: string
  package?: string
  /** Gone when the code runs: `import type` and `export type`. */
  isTypeOnly: boolean
}>

/** A source file, read once for all checks. */
export type SourceFile = Readonly<{
  path: string
  text: string
  /** As long as `text`, line for line; blanks stand for comments, texts and regular expressions. */
  code: string
  imports: readonly Import[]
}>

/**
 * Reads a TypeScript or JavaScript file.
 * @param path from the root of the repository
 * @throws when a template or a brace does not end: the rest of the file would go unchecked
 */
export function readSource(path: string, text: string): SourceFile {
  const code = withoutWords(path, text)
  return { path, text, code, imports: importsIn(path, text, code) }
}

const COMMENT = String.raw`^#!.*|\/\*[^]*?\*\/|\/\/.*`
const TEXT = String.raw`'(?:\\[^]|[^'\\\n])*'|"(?:\\[^]|[^"\\\n])*"`
// A slash is a division unless it stands where a value begins.
const BEFORE_VALUE = String.raw`(?<=(?:^|[(,=:[!&|?{;]|=>|\breturn)\s*)`
const REGEX = String.raw`${BEFORE_VALUE}\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/`
const TOKEN = new RegExp(`${COMMENT}|${TEXT}|${REGEX}|[\`{}]`, 'g')
const TEMPLATE_TEXT = /(?:\\[^]|[^\\`$]|\$(?!\{))*(?:`|\$\{)/y

// What stands inside `${…}` of a template is code like any other, and stays.
function withoutWords(path: string, text: string): string {
  const isTemplateBrace: boolean[] = []
  let code = ''
  for (let token = tokenAfter(text, 0); token; token = tokenAfter(text, code.length)) {
    code += text.slice(code.length, token.index)
    let [word] = token
    if (word === '{') isTemplateBrace.push(false)
    if (word === '`' || (word === '}' && isTemplateBrace.pop() === true)) {
      TEMPLATE_TEXT.lastIndex = token.index + 1
      const [rest] = TEMPLATE_TEXT.exec(text) ?? []
      if (rest === undefined) throw new Error(`${path}: a template does not end`)
      if (rest.endsWith('${')) isTemplateBrace.push(true)
      word += rest
    }
    code += word.length === 1 ? word : blank(word)
  }
  if (isTemplateBrace.length > 0) throw new Error(`${path}: a brace does not end`)
  return code + text.slice(code.length)
}

function tokenAfter(text: string, index: number): RegExpExecArray | null {
  TOKEN.lastIndex = index
  return TOKEN.exec(text)
}

// A text's quotes stay: `import 'x'` and sql`…` are told by them.
function blank(word: string): string {
  const isText = /^['"`]/.test(word)
  return word.replace(isText ? /(?<!^)[^\n](?!$)/g : /[^\n]/g, ' ')
}

const STATIC_IMPORT = /(?<![\w$.])(?:import|export)\b(\s*type\b)?(?:[\w\s{},*$]*\bfrom)?\s*(?=['"])/g
const DYNAMIC_IMPORT = /(?<![\w$.])import\s*\(\s*/g

function importsIn(path: string, text: string, code: string): Import[] {
  return [STATIC_IMPORT, DYNAMIC_IMPORT].flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => {
      const afterwards = text.slice(match.index + match[0].length)
      const [, , specifier] = /^(['"])(.*?)\1/.exec(afterwards) ?? []
      const isTypeOnly = match[1] !== undefined
      if (specifier === undefined) return { isTypeOnly }
      return specifier.startsWith('.')
        ? { isTypeOnly, file: posix.join(posix.dirname(path), specifier) }
        : { isTypeOnly, package: specifier }
    }),
  )
}
