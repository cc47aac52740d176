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
  const { program, comments, errors } = parseSync(path, text)
  const [error] = errors
  if (error !== undefined) throw new Error(`${path}: ${error.message}`)
  const blanks: Span[] = [...comments]
  if (program.hashbang) blanks.push(program.hashbang)
  const imports: Import[] = []
  const add = (specifier: string | undefined, kind: 'type' | 'value' | null = 'value') => {
    imports.push({ isTypeOnly: kind === 'type', ...(specifier === undefined ? {} : targetOf(path, specifier)) })
  }
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => add(source.value, importKind),
    ExportNamedDeclaration: ({ source, exportKind }) => void (source && add(source.value, exportKind)),
    ExportAllDeclaration: ({ source, exportKind }) => add(source.value, exportKind),
    ImportExpression: ({ source }) =>
      add(source.type === 'Literal' && typeof source.value === 'string' ? source.value : undefined),
    TSImportType: ({ source }) => add(source.value, 'type'),
    Literal(literal) {
      // Quotes stay, so that strings remain recognisable.
      if (typeof literal.value === 'string') blanks.push(inside(literal))
      else if ('regex' in literal) blanks.push(literal)
    },
    TemplateElement: (element) => void blanks.push(inside(element)),
    JSXText: (words) => void blanks.push(words),
  }).visit(program)
  return { path, text, program, code: blank(text, blanks), imports }
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
