/** What docs/security.md and its lists promise, as functions over texts, each to be tested with a planted breach. */
import { posix } from 'node:path'
import { Visitor } from 'rolldown/utils'
import { readSource } from './source-code.ts'
import type { CallExpression } from './source-code.ts'

/** The page that says how the cases and requirements of the lists are met. */
export const PAGE = 'docs/security.md'

/** The lists of cases that a test must carry out. */
export const LISTS = ['peer-flaws', 'standards', 'faults'].map((name) => `docs/security/${name}.md`)

/** How many requirements of OWASP ASVS 5.0 apply, by level, and how many are out of scope (V1 to V16). */
const REQUIREMENTS: Readonly<Record<string, number>> = { '1': 50, '2': 132, '3': 70 }
const OUT_OF_SCOPE = 81

const VERDICTS = new Set(['yes', 'no', 'n.a.', 'deviation', 'later'])

/**
 * Every case that is neither carried out by a test nor explained, is both, or is none of the lists'.
 * A test carries a case out when its name ends with the case's id in brackets.
 * @param texts the lists, the page and the tests (`*.test.ts`), by path from the root of the repository
 */
export function caseProblems(texts: ReadonlyMap<string, string>): string[] {
  const problems: string[] = []
  const listed = new Map<string, string>()
  for (const path of LISTS) {
    const ids = casesIn(texts.get(path) ?? '')
    if (ids.length === 0) problems.push(`${path}: lists no case`)
    for (const id of ids) {
      if (listed.has(id)) problems.push(`${path}: lists ${id} again`)
      listed.set(id, path)
    }
  }

  const explained = new Set<string>()
  for (const [cell = '', why = ''] of rowsOf(sectionOf(texts.get(PAGE) ?? '', 'Cases that cannot apply'))) {
    const [, id] = /^`([^`]+)`$/.exec(cell) ?? []
    if (id === undefined) problems.push(`${PAGE}: explains ${cell}, which is no id in backticks`)
    else if (!listed.has(id)) problems.push(`${PAGE}: explains ${id}, which no list has`)
    else if (explained.has(id)) problems.push(`${PAGE}: explains ${id} again`)
    if (why === '') problems.push(`${PAGE}: does not say why ${cell} cannot apply`)
    if (id !== undefined) explained.add(id)
  }

  const carriedOut = new Set<string>()
  for (const [path, text] of texts) {
    if (!path.endsWith('.test.ts')) continue
    const { ids, problems: unreadable } = casesOfTests(path, text)
    problems.push(...unreadable.map((problem) => `${path}: ${problem}`))
    for (const id of ids) {
      carriedOut.add(id)
      if (!listed.has(id)) problems.push(`${path}: carries out ${id}, which no list has`)
      else if (explained.has(id)) problems.push(`${path}: carries out ${id}, which ${PAGE} says cannot apply`)
    }
  }
  for (const [id, path] of listed) {
    if (carriedOut.has(id) || explained.has(id)) continue
    problems.push(`${path}: ${id} is carried out by no test and not explained in ${PAGE}`)
  }
  return problems
}

/** The ids in backticks that begin a row, or stand behind its number. */
function casesIn(list: string): string[] {
  return [...list.matchAll(/^\|\s*(?:\d+\s*\|\s*)?`([^`]+)`\s*\|/gm)].map(([, id = '']) => id)
}

function casesOfTests(path: string, text: string): { ids: string[]; problems: string[] } {
  const ids: string[] = []
  const problems: string[] = []
  let leftOutAround = 0
  new Visitor({
    CallExpression(call) {
      const [first] = call.arguments
      // A test in a loop may take its name from a variable: no case stands in it.
      if (isTest(call) && first !== undefined && /^['"`]/.test(text.slice(first.start))) {
        const name = call.arguments.length > 1 ? nameIn(first, text) : undefined
        const [, cases] = / \[([^[\]]+)\]$/.exec(name ?? '') ?? []
        if (name === undefined)
          problems.push(`has a test whose name cannot be read: ${text.slice(first.start).split('\n')[0]}`)
        else if (cases !== undefined && (leftOutAround > 0 || isLeftOut(call)))
          problems.push(`does not run the test of ${cases}`)
        else ids.push(...(cases?.split(', ') ?? []))
      }
      if (isLeftOut(call)) leftOutAround += 1
    },
    'CallExpression:exit'(call) {
      if (isLeftOut(call)) leftOutAround -= 1
    },
  }).visit(readSource(path, text).program)
  return { ids, problems }
}

// A method named `test`, of a pattern for example, is no test; `t.test` is.
const isTest = ({ callee }: CallExpression) =>
  (callee.type === 'Identifier' && TESTS.has(callee.name)) ||
  (callee.type === 'MemberExpression' && namesOf(callee).join('.') === 't.test')

const TESTS: ReadonlySet<string> = new Set(['test', 'it'])
const GROUPS: ReadonlySet<string> = new Set(['describe', 'suite'])
const LEFT_OUT: ReadonlySet<string> = new Set(['skip', 'todo'])

/** Whether this is a group or test that never runs, nor what it holds: by its name, or by an option that no condition decides. */
function isLeftOut(call: CallExpression): boolean {
  const [outer = '', ...names] = namesOf(call.callee)
  const what = outer === 't' ? names.shift() : outer
  if (what === undefined || !(TESTS.has(what) || GROUPS.has(what))) return false
  if (names.length > 0) return LEFT_OUT.has(names[0] ?? '')
  const options = call.arguments[1]
  if (options?.type !== 'ObjectExpression') return false
  return options.properties.some((option) => {
    if (option.type !== 'Property' || option.key.type !== 'Identifier' || !LEFT_OUT.has(option.key.name)) return false
    const { value } = option
    return value.type === 'TemplateLiteral' || (value.type === 'Literal' && Boolean(value.value))
  })
}

/** The names of `a.b.c`; none of anything else. */
function namesOf(callee: CallExpression['callee']): string[] {
  if (callee.type === 'Identifier') return [callee.name]
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return []
  const outer = namesOf(callee.object)
  return outer.length > 0 ? [...outer, callee.property.name] : []
}

function nameIn(first: CallExpression['arguments'][number], text: string): string | undefined {
  if (first.type === 'Literal' && typeof first.value === 'string') return first.value
  return first.type === 'TemplateLiteral' ? text.slice(first.start + 1, first.end - 1) : undefined
}

const TOP = 'src|test|scripts|cli|docs|sdk|web|bench|\\.ci'
const EXTENSION = 'ts|js|json|md|html|css|example'
const CODE_PATH = new RegExp(`^(?:(?:${TOP})/[\\w./-]*|[\\w.-]+(?:/[\\w.-]+)*\\.(?:${EXTENSION}))$`)

/**
 * Every path that the page links or writes as code, and every heading of its own that it links,
 * where there is none.
 * @param exists tells it of a path from the root of the repository; a folder's ends in a slash
 */
export function pathProblems(page: string, exists: (path: string) => boolean): string[] {
  const linked = [...page.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target.replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
    .map((target) => posix.join(posix.dirname(PAGE), target))
  const written = [...page.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code).filter((code) => CODE_PATH.test(code))
  const headings = new Set([...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => `#${slugOf(heading)}`))
  const anchors = [...page.matchAll(/\]\((#[^)\s]*)\)/g)].map(([, anchor = '']) => anchor)
  return [
    ...[...new Set([...linked, ...written])].filter((path) => !exists(path)),
    ...[...new Set(anchors)].filter((anchor) => !headings.has(anchor)),
  ].map((target) => `${PAGE}: names ${target}, which is not there`)
}

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

/** Every fault of the page's account of OWASP ASVS 5.0: a requirement that is not there once, or says too little. */
export function requirementProblems(page: string): string[] {
  const section = sectionOf(page, 'OWASP ASVS 5.0')
  const rows = rowsOf(section)
  const problems: string[] = []
  for (const [level, expected] of Object.entries(REQUIREMENTS)) {
    const { length } = rows.filter((row) => row[1] === level)
    if (length !== expected) problems.push(`has ${length} requirements of level ${level}, not ${expected}`)
  }
  const outOfScope = [...section.matchAll(/^Out of scope: ([\d., ]+)/gm)].flatMap(([, ids = '']) => ids.match(ID) ?? [])
  if (outOfScope.length !== OUT_OF_SCOPE) {
    problems.push(`says why ${outOfScope.length} requirements are out of scope, not ${OUT_OF_SCOPE}`)
  }
  const seen = new Set<string>()
  for (const id of [...rows.map(([cell = '']) => cell), ...outOfScope]) {
    if (seen.has(id)) problems.push(`has ${id} twice`)
    seen.add(id)
  }
  for (const [id = '', level = '', requirement = '', verdict = '', by = ''] of rows) {
    if (!/^\d+\.\d+\.\d+$/.test(id)) problems.push(`has a requirement without an id: ${id}`)
    if (!(level in REQUIREMENTS)) problems.push(`${id} is of no level`)
    if (!VERDICTS.has(verdict)) problems.push(`${id} is met by "${verdict}"`)
    if (requirement === '' || by === '') problems.push(`${id} does not say what it asks, or how it is met`)
  }
  const declared = new Set(rowsOf(sectionOf(page, 'Deviations')).map(([id = '']) => id))
  const deviating = new Set(rows.filter((row) => row[3] === 'deviation').map(([id = '']) => id))
  for (const id of deviating.difference(declared)) problems.push(`${id} is a deviation that is not declared`)
  for (const id of declared.difference(deviating)) problems.push(`${id} is declared as a deviation and is none`)
  return problems.map((problem) => `${PAGE}: ${problem}`)
}

const ID = /\d+\.\d+\.\d+/g

/** The text below a heading of the second level, without the heading. */
function sectionOf(page: string, heading: string): string {
  const section = page.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`))
  return section?.slice(heading.length + 3) ?? ''
}

const isRule = (row: string | undefined) => /^[\s|:-]+$/.test(row ?? '')

/** The cells of every row below a table's head. */
function rowsOf(text: string): string[][] {
  const rows = [...text.matchAll(/^\|(.*)\|\s*$/gm)].map(([, cells = '']) => cells)
  return rows
    .filter((row, index) => !isRule(row) && !isRule(rows[index + 1]))
    .map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
}
