/** What the suites caught, as a table and a list of the survivors. */
import { posix } from 'node:path'
import type { FaultKind } from './choose-faults.ts'
import type { Suite } from './tree-copy.ts'

/** What a fault meets, in order. A suite that was not asked, because one before it caught the fault, is left out. */
export const CHECKS = ['types', 'unit', 'endpoints', 'attacks', 'model', 'journeys'] as const satisfies readonly (
  | Suite
  | 'types'
)[]
/** The compiler, or a suite. */
export type Check = (typeof CHECKS)[number]

/** By whom a fault was caught: the test file, or the compiler's first line; null where it survived. */
export type Outcomes = Readonly<Partial<Record<Check, string | null>>>

/** A fault as the report shows it. */
export type TriedFault = Readonly<{
  file: string
  line: number
  kind: FaultKind
  from: string
  to: string
  /** How many test files execute the code. */
  executedBy: number
  outcomes: Outcomes
}>

/** The first that caught a fault; null where all let it pass, undefined where not all have been asked. */
export function caughtBy(outcomes: Outcomes): Check | null | undefined {
  const first = CHECKS.find((check) => typeof outcomes[check] === 'string')
  if (first !== undefined) return first
  return CHECKS.every((check) => outcomes[check] === null) ? null : undefined
}

const COLUMNS = ['faults', ...CHECKS, 'survived', 'open', 'caught'] as const
const inColumns = (name: string, cells: readonly (string | number)[]) =>
  name.padEnd(26) + cells.map((cell) => String(cell).padStart(10)).join('')
const share = (part: number, all: number) => (all === 0 ? '-' : `${Math.round((part / all) * 100)} %`)

function rowOf(name: string, faults: readonly TriedFault[]): string {
  const first = faults.map(({ outcomes }) => caughtBy(outcomes))
  const number = (wanted: Check | null | undefined) => first.filter((one) => one === wanted).length
  const closed = faults.length - number(undefined)
  const caught = share(closed - number(null), closed)
  return inColumns(name, [faults.length, ...CHECKS.map(number), number(null), number(undefined), caught])
}

/**
 * A row per folder: how many faults each check was the first to catch. The last row is of each check by itself: its share of
 * those that it was asked about.
 */
export function tableOf(faults: readonly TriedFault[]): string {
  const folders = Map.groupBy(faults, ({ file }) => posix.dirname(file))
  const ofAsked = CHECKS.map((check) => {
    const asked = faults.flatMap(({ outcomes }) => outcomes[check] ?? (outcomes[check] === null ? [null] : []))
    return share(asked.filter((one) => one !== null).length, asked.length)
  })
  return [
    inColumns('first caught by', COLUMNS),
    ...[...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([folder, some]) => rowOf(folder, some)),
    rowOf('all', faults),
    inColumns('of those it was asked', ['', ...ofAsked]),
  ].join('\n')
}

/** Each fault that all let pass. */
export function survivorsOf(faults: readonly TriedFault[]): string {
  const survivors = faults.filter(({ outcomes }) => caughtBy(outcomes) === null)
  const lines = survivors
    .toSorted((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1))
    .map(({ file, line, kind, from, to, executedBy }) => {
      const reach = executedBy === 0 ? 'no test executes it' : `executed by ${executedBy} test files`
      return `${file}:${line} (${kind}, ${reach})\n  - ${inLine(from)}\n  + ${inLine(to)}`
    })
  return [`${survivors.length} survived`, ...lines].join('\n')
}

const inLine = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, 200)
