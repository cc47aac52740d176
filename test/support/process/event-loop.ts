/** How long one task blocks the event loop: the delay of every other caller. */
import { performance, PerformanceObserver } from 'node:perf_hooks'
import type { PerformanceEntry } from 'node:perf_hooks'

/** The longest time between two turns of the event loop. */
export type Stretch = Readonly<{
  /** Processor time of this thread, which load on the machine hardly changes. */
  cpuMs: number
  wallMs: number
}>

const threadCpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
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
  return longest
}

/**
 * The minimum over several runs of the longest stretch: the cost of the work is in every run, a compilation is not. A
 * run within the bound is the last.
 * @param maxMs bound of processor time
 */
export async function shortestLongestBlock(runs: readonly (() => Promise<unknown>)[], maxMs: number): Promise<Stretch> {
  const stretches: Stretch[] = []
  for (const run of runs) {
    const stretch = await longestBlock(run)
    stretches.push(stretch)
    if (stretch.cpuMs <= maxMs) break
  }
  const shortest = (of: keyof Stretch) => Math.min(...stretches.map((stretch) => stretch[of]))
  return { cpuMs: shortest('cpuMs'), wallMs: shortest('wallMs') }
}
