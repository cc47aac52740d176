/** What a process has used so far, as Linux counts it. */
import { readFileSync } from 'node:fs'

/** Of one clock tick of /proc, in microseconds: USER_HZ is 100 on every Linux. */
const TICK_US = 10_000

/** The processor time of all threads of a process, user and system, in microseconds. */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The second field is the name in parentheses, which may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}

/** The most memory that a process has had at once, in bytes. */
export function peakMemoryBytes(pid: number): number {
  const [, kibibytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kibibytes) * 1024
}

/** Waits until a process does nothing any more: less than a hundredth of a processor for half a second. */
export async function untilIdle(pid: number, withinMs: number): Promise<void> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline;) {
    const before = cpuMicroseconds(pid)
    await new Promise((resolve) => setTimeout(resolve, 500))
    if (cpuMicroseconds(pid) - before <= TICK_US) return
  }
  throw new Error(`process ${pid} is not idle after ${withinMs} ms`)
}
