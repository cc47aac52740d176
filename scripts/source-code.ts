/**
 * A source file as the checks look at it: its syntax tree, its imports, and its code without what comments, texts and
 * regular expressions say, so that a word in one of them is never taken for code.
 */
import { posix } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import type { ParseResult } from 'rolldown/utils'

type Visited = ConstructorParameters<typeof Visitor>[0]

/** A call, with all it holds. */
export type CallExpression = Parameters<NonNullable<Visited['CallExpression']>>[0]

/** An import, a re-export or a dynamic import; one that names neither is known only when it runs. */
export type Import = Readonly<{
  /** From the root of the repository, where it is a file of ours. */
  file?: string
  package?: string
  /** Gone when the code runs: `import type`, `export type` and a type's `import(…)`. */
  isTypeOnly: boolean
}>

/** A source file, read once for all checks. */
export type SourceFile = Readonly<{
  path: string
  text: string
  program: ParseResult['program']
  /** As long as `text`, line for line; blanks stand for comments, texts and regular expressions. */
  code: string
  imports: readonly Import[]
}>

/**
 * Reads a TypeScript or JavaScript file.
 * @param path from the root of the repository
 * @throws when it cannot be parsed: the rest of the file would go unchecked
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
      // Quotes stay: a text is told by them.
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
