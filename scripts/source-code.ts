/**
 * Parses source files for the checks: syntax tree, imports, and code with comments, strings and regular expressions
 * blanked, so that words in them do not count as code.
 */
import { posix } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import type { ParseResult } from 'rolldown/utils'

type Visited = ConstructorParameters<typeof Visitor>[0]

export type CallExpression = Parameters<NonNullable<Visited['CallExpression']>>[0]

/** An import, a re-export or a dynamic import; without `file` and `package` its target is computed at run time. */
export type Import = Readonly<{
  /** From the repository's root; set for our own files. */
  file?: string
  package?: string
  /** Erased at run time: `import type`, `export type` and `import(…)` in types. */
  isTypeOnly: boolean
}>

export type SourceFile = Readonly<{
  path: string
  text: string
  program: ParseResult['program']
  /** Same length and lines as `text`, with blanks for comments, strings and regular expressions. */
  code: string
  imports: readonly Import[]
}>

/**
 * @param path from the repository's root
 * @throws on a syntax error, because the rest of the file would go unchecked
 */
export function readSource(path: string, text: string): SourceFile {
  const parsed = parseSync(path, text)
  const [error] = parsed.errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  let code: string | undefined
  return {
    path,
    text,
    // Built on demand: the tree takes three times as long as parsing, and most files are read for their imports alone.
    get program() {
      return parsed.program
    },
    get code() {
      return (code ??= codeOf(text, parsed))
    },
    imports: importsOf(path, text, parsed),
  }
}

const IS_TYPE_ONLY = /^(import|export)\s+type\s(?!\s*from\s*$)/

function importsOf(path: string, text: string, parsed: ParseResult): Import[] {
  const { staticImports, staticExports } = parsed.module
  const statements = [
    ...staticImports.map(({ start, moduleRequest }) => ({ start, target: moduleRequest })),
    ...staticExports.map(({ start, entries }) => ({ start, target: entries[0]?.moduleRequest })),
  ]
  const imports: Import[] = []
  const add = (specifier: string | undefined, isTypeOnly: boolean) => {
    imports.push({ isTypeOnly, ...(specifier === undefined ? {} : targetOf(path, specifier)) })
  }
  for (const { start, target } of statements) {
    if (target) add(target.value, IS_TYPE_ONLY.test(text.slice(start, target.start)))
  }
  if (!/\bimport\s*\(/.test(text)) return imports
  new Visitor({
    ImportExpression: ({ source }) =>
      add(source.type === 'Literal' && typeof source.value === 'string' ? source.value : undefined, false),
    TSImportType: ({ source }) => add(source.value, true),
  }).visit(parsed.program)
  return imports
}

function codeOf(text: string, { program, comments }: ParseResult): string {
  const blanks: Span[] = [...comments]
  if (program.hashbang) blanks.push(program.hashbang)
  new Visitor({
    Literal(literal) {
      // Quotes stay, so that strings remain recognisable.
      if (typeof literal.value === 'string') blanks.push(inside(literal))
      else if ('regex' in literal) blanks.push(literal)
    },
    TemplateElement: (element) => void blanks.push(inside(element)),
    JSXText: (words) => void blanks.push(words),
  }).visit(program)
  return blank(text, blanks)
}

type Span = Readonly<{ start: number; end: number }>

const inside = ({ start, end }: Span): Span => ({ start: start + 1, end: end - 1 })

function blank(text: string, spans: readonly Span[]): string {
  let code = ''
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    code += text.slice(code.length, start) + text.slice(start, end).replaceAll(/[^\n]/g, ' ')
  }
  return code + text.slice(code.length)
}

function targetOf(path: string, specifier: string): Pick<Import, 'file' | 'package'> {
  return specifier.startsWith('.') ? { file: posix.join(posix.dirname(path), specifier) } : { package: specifier }
}
