/** CPU time and memory of a process, and what the hypervisor takes, from /proc. */
import { readFileSync } from 'node:fs'

/** One clock tick of /proc: USER_HZ is 100 on every Linux. */
const TICK_US = 10_000
/** Of a window: the clock ticks that the hypervisor took are the machine's finest measure. */
const WINDOW_MS = 100
const MIN_QUIET_SHARE = 0.1

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

function stolenTicks(): number {
  const [, ...times] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(/\s+/)
  return Number(times[7])
}

/**
 * Tells when the hypervisor took a processor: what was measured then says nothing about the target. On a shared machine
 * that is a third of the time and more, in short bursts.
 */
export class QuietTimes {
  readonly #startedMs: number
  /** By window: whether the hypervisor took nothing. */
  readonly #isQuiet: boolean[] = []
  readonly #answered: number[] = []
  #stolen = stolenTicks()
  #count = 0

  constructor(startedMs: number) {
    this.#startedMs = startedMs
  }

  countAnswer(): void {
    this.#count += 1
  }

  /** Call it at least every few milliseconds. */
  turn(nowMs: number): void {
    const windows = Math.floor((nowMs - this.#startedMs) / WINDOW_MS)
    if (windows === this.#isQuiet.length) return
    const stolen = stolenTicks()
    // More than one window is over if the generator itself was kept from running.
    const isQuiet = stolen === this.#stolen && windows === this.#isQuiet.length + 1
    while (this.#isQuiet.length < windows) {
      this.#isQuiet.push(isQuiet)
      this.#answered.push(0)
    }
    this.#answered[windows - 1] = this.#count
    this.#stolen = stolen
    this.#count = 0
  }

  /** Whether all windows of this time, and the one before it, were quiet: what waited there is answered later. */
  isQuiet(fromMs: number, toMs: number): boolean {
    const [first, last] = [fromMs, toMs].map((ms) => Math.floor((ms - this.#startedMs) / WINDOW_MS)) as [number, number]
    return this.#isQuiet.slice(Math.max(0, first - 1), last + 1).every(Boolean)
  }

  /** Answers per second in quiet windows, and the share of those. If hardly any was, all count. */
  summary(): Readonly<{ perSecond: number; quietShare: number }> {
    const quietShare = this.#isQuiet.filter(Boolean).length / this.#isQuiet.length
    const isEnough = quietShare >= MIN_QUIET_SHARE
    const counted = this.#answered.filter((_answers, window) => !isEnough || this.#isQuiet[window])
    const perSecond = (counted.reduce((sum, answers) => sum + answers, 0) / counted.length / WINDOW_MS) * 1000
    return { perSecond, quietShare }
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
