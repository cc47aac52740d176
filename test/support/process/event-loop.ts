/** How long one task blocks the event loop: the delay of every other caller. */
import { DatabaseSync } from 'node:sqlite'
import type { StatementSync } from 'node:sqlite'
import { performance, PerformanceObserver } from 'node:perf_hooks'
import type { PerformanceEntry } from 'node:perf_hooks'

/** The longest time between two turns of the event loop. */
export type Stretch = Readonly<{
  /** Processor time of this thread, which load on the machine hardly changes, as on the machine of `REFERENCE_MS`. */
  cpuMs: number
  wallMs: number
}>

const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

// Estimated: a call that took 9 ms on the machine that the bounds were set on takes 20 where this work takes 7.
const REFERENCE_MS = 3.5
const REFERENCE_ROWS = 3000

let reference: StatementSync | undefined

/**
 * How many times slower this machine is now than that one, at least 1. The reference is what blocks the event loop most:
 * reading rows.
 */
function slowness(): number {
  reference ??= (() => {
    const file = new DatabaseSync(':memory:')
    file.exec(`create table rows (id text primary key, owner text, kind text, at_ms integer);
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${REFERENCE_ROWS})
      insert into rows select 'row-' || i, 'owner', 'created', i from n`)
    return file.prepare('select * from rows order by at_ms')
  })()
  const times = [1, 2, 3].map(() => {
    const from = threadCpuMs()
    const rows = reference?.all() ?? []
    if (JSON.stringify(rows).length < REFERENCE_ROWS) throw new Error('rows are missing')
    return threadCpuMs() - from
  })
  return Math.max(1, Math.min(...times) / REFERENCE_MS)
}
/** Shorter turns are not recorded: they are the longest only if all are as short. */
const REMEMBERED_MS = 2

/**
 * Runs the work and returns the longest time between two turns of the event loop. Garbage collections are subtracted:
 * their length depends on the heap of the whole process, which holds very many seeded rows, and on processors for the
 * collector's threads.
 */
export async function longestBlock(work: () => Promise<unknown>): Promise<Stretch> {
  const collections: PerformanceEntry[] = []
  const observer = new PerformanceObserver((list) => void collections.push(...list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  const over = new AbortController()
  const turns: Readonly<{ fromMs: number; wallMs: number; cpuMs: number }>[] = []
  let last = { cpu: threadCpuMs(), wall: performance.now() }
  let turn = { fromMs: 0, cpu: 0, wall: 0 }
  const turned = () => {
    const now = { cpu: threadCpuMs(), wall: performance.now() }
    const next = { fromMs: last.wall, cpu: now.cpu - last.cpu, wall: now.wall - last.wall }
    // The kernel accounts processor time some milliseconds late, so a turn's time may show in the next turn.
    if (turn.wall >= REMEMBERED_MS)
      turns.push({ fromMs: turn.fromMs, wallMs: turn.wall, cpuMs: Math.min(turn.wall, turn.cpu + next.cpu) })
    turn = next
    last = now
  }
  const turning = (async () => {
    while (!over.signal.aborted) {
      await new Promise((resolve) => void setImmediate(resolve))
      turned()
    }
  })()
  try {
    await work()
  } finally {
    await new Promise((resolve) => void setImmediate(resolve))
    over.abort()
    await turning
    turned()
    collections.push(...observer.takeRecords())
    observer.disconnect()
  }
  const longest = { cpuMs: 0, wallMs: 0 }
  for (const { fromMs, wallMs, cpuMs } of turns) {
    const within = collections.filter(({ startTime }) => startTime >= fromMs && startTime < fromMs + wallMs)
    const collectedMs = within.reduce((sum, { duration }) => sum + duration, 0)
    longest.cpuMs = Math.max(longest.cpuMs, cpuMs - collectedMs)
    longest.wallMs = Math.max(longest.wallMs, wallMs)
  }
  return { ...longest, cpuMs: longest.cpuMs / slowness() }
}

/**
 * The minimum over several runs of the longest stretch: the cost of the work is in every run, a compilation is not. A
 * run within the bound is the last.
 * @param maxMs bound of processor time
 * @param prepare called before each run, not measured
 */
export async function shortestLongestBlock(
  runs: readonly (() => Promise<unknown>)[],
  maxMs: number,
  prepare: (run: number) => Promise<void> = async () => {},
): Promise<Stretch> {
  const stretches: Stretch[] = []
  for (const [index, run] of runs.entries()) {
    await prepare(index)
    const stretch = await longestBlock(run)
    stretches.push(stretch)
    if (stretch.cpuMs <= maxMs) break
  }
  const shortest = (of: keyof Stretch) => Math.min(...stretches.map((stretch) => stretch[of]))
  return { cpuMs: shortest('cpuMs'), wallMs: shortest('wallMs') }
}
