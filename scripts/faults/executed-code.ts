/** Which parts of the sources a test file executes, in its own process and in those that it starts, by V8's coverage. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** From the first offset up to, and without, the second, by file; in order. */
export type ExecutedCode = Readonly<Record<string, readonly (readonly [number, number])[]>>

type Range = Readonly<{ startOffset: number; endOffset: number; count: number }>
type Coverage = Readonly<{
  result: readonly Readonly<{ url: string; functions: readonly Readonly<{ ranges: readonly Range[] }>[] }>[]
}>

/**
 * Reads what processes with `NODE_V8_COVERAGE=folder` left in it. Offsets are those of the source: types are blanked
 * before it runs. A process that was killed counts for nothing.
 * @param root of the tree whose `src` is asked for
 */
export function readExecutedCode(folder: string, root: string): ExecutedCode {
  const base = pathToFileURL(join(root, '/')).href
  const executed = new Map<string, Uint8Array>()
  for (const name of readdirSync(folder)) {
    for (const { url, functions } of resultOf(readFileSync(join(folder, name), 'utf8'))) {
      if (!url.startsWith(`${base}src/`)) continue
      const file = url.slice(base.length).replace(/[?#].*/, '')
      const ranges = functions.flatMap((one) => one.ranges)
      const length = Math.max(...ranges.map(({ endOffset }) => endOffset))
      const marks = executed.get(file) ?? new Uint8Array(length)
      executed.set(file, marks)
      paint(ranges, length).forEach((mark, offset) => (marks[offset] ||= mark))
    }
  }
  return Object.fromEntries([...executed].map(([file, marks]) => [file, intervals(marks)]))
}

// A process that was killed leaves nothing, or the beginning.
function resultOf(text: string): Coverage['result'] {
  try {
    return (JSON.parse(text) as Coverage).result
  } catch {
    return []
  }
}

// The smallest range around an offset is what holds for it.
function paint(ranges: readonly Range[], length: number): Uint8Array {
  const marks = new Uint8Array(length)
  const size = ({ startOffset, endOffset }: Range) => endOffset - startOffset
  for (const { startOffset, endOffset, count } of ranges.toSorted((a, b) => size(b) - size(a))) {
    marks.fill(count > 0 ? 1 : 0, startOffset, endOffset)
  }
  return marks
}

function intervals(marks: Uint8Array): [number, number][] {
  const found: [number, number][] = []
  for (let start = marks.indexOf(1); start !== -1;) {
    const next = marks.indexOf(0, start)
    const end = next === -1 ? marks.length : next
    found.push([start, end])
    start = marks.indexOf(1, end)
  }
  return found
}

/** Whether the code at an offset of a file was executed. */
export function isExecuted(executed: ExecutedCode, file: string, offset: number): boolean {
  return (executed[file] ?? []).some(([start, end]) => start <= offset && offset < end)
}
