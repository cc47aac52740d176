/** CPU time and memory of a process, from /proc. */
import { readFileSync } from 'node:fs'

/** One clock tick of /proc: USER_HZ is 100 on every Linux. */
const TICK_US = 10_000

/** User and system time of all threads. */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the process name in parentheses, which may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}

/** Peak resident memory. */
export function peakMemoryBytes(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

/** Resolves once a process has used at most one tick (10 ms) of CPU time within half a second. */
export async function untilIdle(pid: number, withinMs: number): Promise<void> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline;) {
    const before = cpuMicroseconds(pid)
    await new Promise((resolve) => setTimeout(resolve, 500))
    if (cpuMicroseconds(pid) - before <= TICK_US) return
  }
  throw new Error(`process ${pid} is not idle after ${withinMs} ms`)
}
