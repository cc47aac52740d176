/** CPU time and memory of a process, and what the hypervisor takes, from /proc. */
import { readFileSync } from 'node:fs'

/** One clock tick of /proc: USER_HZ is 100 on every Linux. */
const TICK_US = 10_000
const MAX_STOLEN_SHARE = 0.01
const MAX_ATTEMPTS = 4

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

type Times = Readonly<{ stolen: number; all: number }>

function timesOfMachine(): Times {
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/)
  // Guest time, the last two, is contained in user time.
  const times = ticks.slice(0, 8).map(Number)
  return { stolen: times[7] ?? 0, all: times.reduce((sum, time) => sum + time, 0) }
}

/** Runs a measurement again, a few times at most, when the hypervisor took more than a hundredth of the processors. */
export async function undisturbed<T>(measure: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const before = timesOfMachine()
    const result = await measure()
    const after = timesOfMachine()
    const share = (after.stolen - before.stolen) / (after.all - before.all)
    if (share <= MAX_STOLEN_SHARE) return result
    process.stderr.write(`the hypervisor took ${(share * 100).toFixed(1)} %\n`)
    if (attempt === MAX_ATTEMPTS) return result
  }
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
