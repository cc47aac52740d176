/** How long the event loop was held at a stretch: what everybody else waits for. */
import { performance } from 'node:perf_hooks'

/** The longest time between two turns of the event loop, in milliseconds. */
export type Stretch = Readonly<{
  /** Of the processor, in this thread: others on a busy machine make it hardly longer. */
  cpuMs: number
  wallMs: number
}>

const cpuMs = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Runs the work while the loop turns without a pause, and gives the longest stretch between two turns. */
export async function longestStretch(work: () => Promise<unknown>): Promise<Stretch> {
  const over = new AbortController()
  const longest = { cpuMs: 0, wallMs: 0 }
  let last = { cpu: cpuMs(), wall: performance.now() }
  let turn = { cpu: 0, wall: 0 }
  const turned = () => {
    const now = { cpu: cpuMs(), wall: performance.now() }
    const next = { cpu: now.cpu - last.cpu, wall: now.wall - last.wall }
    // The system counts the processor's time late, by some milliseconds: what a turn took may be told with the next one.
    longest.cpuMs = Math.max(longest.cpuMs, Math.min(turn.wall, turn.cpu + next.cpu))
    longest.wallMs = Math.max(longest.wallMs, next.wall)
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
  }
  return longest
}

/**
 * The shortest of the longest stretches of several runs: what is in the work itself is in each of them, a collection of
 * garbage or a compilation is not.
 */
export async function stretchOf(runs: readonly (() => Promise<unknown>)[]): Promise<Stretch> {
  const stretches: Stretch[] = []
  for (const run of runs) stretches.push(await longestStretch(run))
  const shortest = (of: keyof Stretch) => Math.min(...stretches.map((stretch) => stretch[of]))
  return { cpuMs: shortest('cpuMs'), wallMs: shortest('wallMs') }
}
