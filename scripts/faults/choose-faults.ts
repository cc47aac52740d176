/** Faults for a tree of sources: each is one small edit that leaves valid code and that a test should catch. */
import { posix } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import type { SeededRandom } from '../seed-random.ts'

const KINDS = ['condition', 'statement', 'swap'] as const

/** What is wrong: a negated condition, a statement that is gone, or two values in each other's place. */
export type FaultKind = (typeof KINDS)[number]

/** Replaces `text.slice(start, end)`. The faulty code runs where `start` does. */
export type Fault = Readonly<{ file: string; kind: FaultKind; start: number; end: number; replacement: string }>

type Edit = Omit<Fault, 'file'>
type Node = Readonly<{ type: string; start: number; end: number }> & Readonly<Record<string, unknown>>

const OPPOSITES: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
  '&&': '||',
  '||': '&&',
}

/** Expressions that TypeScript only annotates; every other node of its own holds nothing that runs. */
const ANNOTATED = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])

// The compiler refuses `if (a) ;` for its form.
const NO_STATEMENT = '{}'

/** The text of a file with the fault in it. */
export function plant(text: string, { start, end, replacement }: Fault): string {
  return text.slice(0, start) + replacement + text.slice(end)
}

/**
 * Chooses faults: as many in each folder as its share of the lines, of each kind in turn. The same seed makes the
 * same choice. Any first part of the result is spread over the folders too.
 * @param texts TypeScript by path; files that can have no fault are not counted
 */
export function chooseFaults(texts: ReadonlyMap<string, string>, count: number, random: SeededRandom): Fault[] {
  const possible = [...texts].toSorted(([a], [b]) => (a < b ? -1 : 1)).flatMap(([file, text]) => faultsIn(file, text))
  const folders = [...Map.groupBy(possible, ({ file }) => posix.dirname(file)).values()]
  const lines = folders.map((faults) => {
    const files = new Set(faults.map(({ file }) => file))
    return files.values().reduce((sum, file) => sum + (texts.get(file) ?? '').split('\n').length, 0)
  })
  const quotas = quotasOf(count, lines)
  const chosen = folders.flatMap((faults, n) => {
    const ofKinds = KINDS.map((kind) =>
      shuffled(
        faults.filter((fault) => fault.kind === kind),
        random,
      ),
    )
    return inTurn(shuffled(ofKinds, random)).slice(0, quotas[n])
  })
  return shuffled(chosen, random)
}

// Largest remainders: the quotas add up to the count.
function quotasOf(count: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const shares = weights.map((weight) => (count * weight) / all)
  const missing = count - shares.reduce((sum, share) => sum + Math.floor(share), 0)
  const largest = shares.map((share, n) => ({ n, remainder: share % 1 })).toSorted((a, b) => b.remainder - a.remainder)
  const rounded = new Set(largest.slice(0, missing).map(({ n }) => n))
  return shares.map((share, n) => Math.floor(share) + Number(rounded.has(n)))
}

function shuffled<T>(values: readonly T[], random: SeededRandom): T[] {
  return values
    .map((value) => ({ value, rank: random.fraction() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ value }) => value)
}

function inTurn<T>(lists: readonly (readonly T[])[]): T[] {
  const longest = Math.max(...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, n) => lists.flatMap((list) => list.slice(n, n + 1))).flat()
}

/** Every fault that a file can have. */
export function faultsIn(file: string, text: string): Fault[] {
  const faults: Fault[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value)) return
    if (value.type.startsWith('TS') && !ANNOTATED.has(value.type)) return
    faults.push(...faultsAt(value, text).map((edit): Fault => Object.assign(edit, { file })))
    Object.values(value).forEach(visit)
  }
  visit(parseAst(text, { lang: 'ts' }, file))
  return faults
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function faultsAt(node: Node, text: string): Edit[] {
  switch (node.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return negated(node['test'] as Node, text)
    case 'BinaryExpression':
    case 'LogicalExpression':
      return opposite(node, text)
    case 'ThrowStatement':
      return [{ kind: 'statement', start: node.start, end: node.end, replacement: NO_STATEMENT }]
    case 'ExpressionStatement':
      return dropped(node, text)
    case 'CallExpression':
    case 'NewExpression':
      return swapped(node['arguments'] as Node[], text)
    case 'ObjectExpression':
      return swapped((node['properties'] as Node[]).map(valueOf), text)
    default:
      return []
  }
}

// A comparison gets the opposite operator when it is visited itself.
function negated(test: Node, text: string): Edit[] {
  if (test.type === 'BinaryExpression' && String(test['operator']) in OPPOSITES) return []
  const { start, end } = test
  return [{ kind: 'condition', start, end, replacement: `!(${text.slice(start, end)})` }]
}

function opposite(node: Node, text: string): Edit[] {
  const operator = String(node['operator'])
  const other = OPPOSITES[operator]
  if (other === undefined) return []
  const [left, right] = [node['left'] as Node, node['right'] as Node]
  const between = text.slice(left.end, right.start).replace(operator, other)
  const replacement = text.slice(node.start, left.end) + between + text.slice(right.start, node.end)
  return [{ kind: 'condition', start: node.start, end: node.end, replacement }]
}

function dropped({ start, end, expression, directive }: Node, text: string): Edit[] {
  if (typeof directive === 'string' || text.startsWith('super(', (expression as Node).start)) return []
  return [{ kind: 'statement', start, end, replacement: NO_STATEMENT }]
}

// Of a property whose name stands for its value, or that is a method or an accessor, the value cannot move.
function valueOf({ type, kind, shorthand, method, value }: Node): Node | undefined {
  return type === 'Property' && kind === 'init' && !shorthand && !method ? (value as Node) : undefined
}

function swapped(values: readonly (Node | undefined)[], text: string): Edit[] {
  return values.flatMap((a, n) => {
    const b = values[n + 1]
    if (!a || !b || a.type === 'SpreadElement' || b.type === 'SpreadElement') return []
    const [first, second] = [text.slice(a.start, a.end), text.slice(b.start, b.end)]
    if (first === second) return []
    return [{ kind: 'swap', start: a.start, end: b.end, replacement: second + text.slice(a.end, b.start) + first }]
  })
}
