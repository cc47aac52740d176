/** The promises of docs/security.md and its lists, as functions over texts, so that tests can plant violations. */
import { posix } from 'node:path'
import { Visitor } from 'rolldown/utils'
import { readSource } from './source-code.ts'
import type { CallExpression } from './source-code.ts'

export const PAGE = 'docs/security.md'

export const LISTS = ['peer-flaws', 'standards', 'faults', 'oauth'].map((name) => `docs/security/${name}.md`)

/** Numbers of applicable OWASP ASVS 5.0 requirements by level (V1 to V16). */
const REQUIREMENTS: Readonly<Record<string, number>> = { '1': 55, '2': 141, '3': 75 }
const OUT_OF_SCOPE = 62

const VERDICTS = new Set(['yes', 'no', 'n.a.', 'deviation', 'later'])

/**
 * Cases that are neither tested nor explained, are both, or are on no list. A test covers a case when its name ends
 * with the case's id in brackets.
 * @param texts the lists, the page and the tests (`*.test.ts`), by path from the repository's root
 */
export function findCaseProblems(texts: ReadonlyMap<string, string>): string[] {
  const problems: string[] = []
  const listed = new Map<string, string>()
  for (const path of LISTS) {
    const ids = casesIn(texts.get(path) ?? '')
    if (ids.length === 0) problems.push(`${path}: contains no case`)
    for (const id of ids) {
      if (listed.has(id)) problems.push(`${path}: lists ${id} again`)
      listed.set(id, path)
    }
  }

  const explained = new Set<string>()
  for (const [cell = '', why = ''] of rowsOf(sectionOf(texts.get(PAGE) ?? '', 'Cases that cannot apply'))) {
    const [, id] = /^`([^`]+)`$/.exec(cell) ?? []
    if (id === undefined) problems.push(`${PAGE}: explains ${cell}, which is not an id in backticks`)
    else if (!listed.has(id)) problems.push(`${PAGE}: explains ${id}, which is on no list`)
    else if (explained.has(id)) problems.push(`${PAGE}: explains ${id} again`)
    if (why === '') problems.push(`${PAGE}: does not say why ${cell} cannot apply`)
    if (id !== undefined) explained.add(id)
  }

  const covered = new Set<string>()
  for (const [path, text] of texts) {
    if (!path.endsWith('.test.ts')) continue
    const { ids, problems: unreadable } = casesCoveredIn(path, text)
    problems.push(...unreadable.map((problem) => `${path}: ${problem}`))
    for (const id of ids) {
      covered.add(id)
      if (!listed.has(id)) problems.push(`${path}: covers ${id}, which is on no list`)
      else if (explained.has(id)) problems.push(`${path}: covers ${id}, which ${PAGE} says cannot apply`)
    }
  }
  for (const [id, path] of listed) {
    if (covered.has(id) || explained.has(id)) continue
    problems.push(`${path}: ${id} is covered by no test and not explained in ${PAGE}`)
  }
  return problems
}

/** Ids in backticks at the start of a row, or after its number. */
function casesIn(list: string): string[] {
  return [...list.matchAll(/^\|\s*(?:\d+\s*\|\s*)?`([^`]+)`\s*\|/gm)].map(([, id = '']) => id)
}

function casesCoveredIn(path: string, text: string): { ids: string[]; problems: string[] } {
  const ids: string[] = []
  const problems: string[] = []
  let leftOutAround = 0
  new Visitor({
    CallExpression(call) {
      const [first] = call.arguments
      // A test in a loop may compute its name: it covers no case.
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

// `t.test` is a test; another `test` method, of a pattern for example, is not.
const isTest = ({ callee }: CallExpression) =>
  (callee.type === 'Identifier' && TESTS.has(callee.name)) ||
  (callee.type === 'MemberExpression' && namesOf(callee).join('.') === 't.test')

const TESTS: ReadonlySet<string> = new Set(['test', 'it'])
const GROUPS: ReadonlySet<string> = new Set(['describe', 'suite'])
const LEFT_OUT: ReadonlySet<string> = new Set(['skip', 'todo'])

/** Whether a group or test never runs: by `.skip` or `.todo`, or by a constant option. */
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

/** `['a', 'b', 'c']` for `a.b.c`; empty for anything else. */
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
 * Paths and own headings that the page names but that do not exist.
 * @param exists takes a path from the repository's root; a folder's ends in a slash
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
  ].map((target) => `${PAGE}: names ${target}, which does not exist`)
}

const slugOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w -]/g, '')
    .replaceAll(' ', '-')

/** Errors in the page's OWASP ASVS 5.0 table: requirements that are missing, repeated or incomplete. */
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
    problems.push(`lists ${outOfScope.length} requirements as out of scope, not ${OUT_OF_SCOPE}`)
  }
  const seen = new Set<string>()
  for (const id of [...rows.map(([cell = '']) => cell), ...outOfScope]) {
    if (seen.has(id)) problems.push(`has ${id} twice`)
    seen.add(id)
  }
  for (const [id = '', level = '', requirement = '', verdict = '', by = ''] of rows) {
    if (!/^\d+\.\d+\.\d+$/.test(id)) problems.push(`has a requirement without an id: ${id}`)
    if (!(level in REQUIREMENTS)) problems.push(`${id} has no valid level`)
    if (!VERDICTS.has(verdict)) problems.push(`${id} has the unknown verdict "${verdict}"`)
    if (requirement === '' || by === '') problems.push(`${id} lacks its requirement, or how it is met`)
  }
  const declared = new Set(rowsOf(sectionOf(page, 'Deviations')).map(([id = '']) => id))
  const deviating = new Set(rows.filter((row) => row[3] === 'deviation').map(([id = '']) => id))
  for (const id of deviating.difference(declared)) problems.push(`${id} is an undeclared deviation`)
  for (const id of declared.difference(deviating)) problems.push(`${id} is declared as a deviation but is not one`)
  return problems.map((problem) => `${PAGE}: ${problem}`)
}

const ID = /\d+\.\d+\.\d+/g

function sectionOf(page: string, heading: string): string {
  const section = page.split(/^(?=## )/m).find((part) => part.startsWith(`## ${heading}\n`))
  return section?.slice(heading.length + 3) ?? ''
}

const isRule = (row: string | undefined) => /^[\s|:-]+$/.test(row ?? '')

function rowsOf(text: string): string[][] {
  const rows = [...text.matchAll(/^\|(.*)\|\s*$/gm)].map(([, cells = '']) => cells)
  return rows
    .filter((row, index) => !isRule(row) && !isRule(rows[index + 1]))
    .map((row) => row.split(/(?<!\\)\|/).map((cell) => cell.trim()))
}
