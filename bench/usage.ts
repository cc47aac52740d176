/** CPU time and memory of a process, and what the hypervisor takes, from /proc. */
import { readFileSync } from 'node:fs'

/** One clock tick of /proc: USER_HZ is 100 on every Linux. */
const TICK_US = 10_000
/** Of a window: the clock ticks that the hypervisor took are the machine's finest measure. */
const WINDOW_MS = 100
/** Of a window. Each time that a main thread with a processor of its own wakes, it waits for some microseconds. */
const MOST_WAITED_MS = 3
/** Between two turns. */
const MOST_LATE_MS = 2
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

/** How long the main thread has been ready to run while something else ran; 0 where the kernel does not tell. */
function waitedMs(pid: number): number {
  try {
    const [, waitedNs] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    return Number(waitedNs) / 1e6
  } catch {
    return 0
  }
}

/**
 * Tells when the hypervisor or another program took a processor: what was measured then says nothing about the target.
 * On a shared machine that is a third of the time and more, in short bursts. A hypervisor does not tell of all that it
 * takes, so a generator that was late tells too.
 */
export class QuietTimes {
  readonly #pid: number
  readonly #startedMs: number
  /** By window: whether nothing was taken. */
  readonly #isQuiet: boolean[] = []
  readonly #answered: number[] = []
  #stolen = stolenTicks()
  #waitedMs: number
  #turnedMs: number
  #wasLate = false
  #count = 0

  /** @param pid the target's, whose main thread has a processor of its own */
  constructor(pid: number, startedMs: number) {
    this.#pid = pid
    this.#startedMs = startedMs
    this.#waitedMs = waitedMs(pid)
    this.#turnedMs = startedMs
  }

  countAnswer(): void {
    this.#count += 1
  }

  /**
   * Call it at least every few milliseconds.
   * @param isPunctual whether nothing but the hypervisor can make the caller late
   */
  turn(nowMs: number, isPunctual: boolean): void {
    this.#wasLate ||= isPunctual && nowMs - this.#turnedMs > MOST_LATE_MS
    this.#turnedMs = nowMs
    const windows = Math.floor((nowMs - this.#startedMs) / WINDOW_MS)
    if (windows === this.#isQuiet.length) return
    const stolen = stolenTicks()
    const waited = waitedMs(this.#pid)
    // More than one window is over if the generator itself was kept from running.
    const isQuiet =
      !this.#wasLate &&
      stolen === this.#stolen &&
      waited - this.#waitedMs < MOST_WAITED_MS &&
      windows === this.#isQuiet.length + 1
    while (this.#isQuiet.length < windows) {
      this.#isQuiet.push(isQuiet)
      this.#answered.push(0)
    }
    this.#answered[windows - 1] = this.#count
    this.#stolen = stolen
    this.#waitedMs = waited
    this.#wasLate = false
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
