/** How long the event loop was held at a stretch: what everybody else waits for. */
import { performance, PerformanceObserver } from 'node:perf_hooks'
import type { PerformanceEntry } from 'node:perf_hooks'

/** The longest time between two turns of the event loop, in milliseconds. */
export type Stretch = Readonly<{
  /** Of the processor, in this thread: others on a busy machine make it hardly longer. */
  cpuMs: number
  wallMs: number
}>

const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Turns that are shorter are not remembered: they cannot be the longest, unless all are as short. */
const REMEMBERED_MS = 2

/**
 * Runs the work while the loop turns without a pause, and gives the longest stretch between two turns.
 * Collections of garbage are subtracted: how long one takes depends on the heap of the whole process (tests seed very
 * many rows in it) and on whether the collector's own threads get a processor, not on the work of the turn it falls in.
 */
export async function longestStretch(work: () => Promise<unknown>): Promise<Stretch> {
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
    // The system counts the processor's time late, by some milliseconds: what a turn took may be told with the next one.
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
  return longest
}

/**
 * The shortest of the longest stretches of several runs: what is in the work itself is in each of them, a compilation is
 * not.
 */
export async function stretchOf(runs: readonly (() => Promise<unknown>)[]): Promise<Stretch> {
  const stretches: Stretch[] = []
  for (const run of runs) stretches.push(await longestStretch(run))
  const shortest = (of: keyof Stretch) => Math.min(...stretches.map((stretch) => stretch[of]))
  return { cpuMs: shortest('cpuMs'), wallMs: shortest('wallMs') }
}
