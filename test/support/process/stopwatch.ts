/** Durations without the effect of a busy machine, so that bounds on them test the code only. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

const POLL_MS = 20

/** Returns the milliseconds since, without those in which this process or one of `started` waited for a processor. */
export function stopwatch(...started: readonly Readonly<{ child: ChildProcess }>[]): () => number {
  const beside = started.map(({ child }) => queuedMsOf(child))
  const waited = () => beside.reduce((sum, queued) => sum + queued(), queuedMs(process.pid))
  const startMs = performance.now() - waited()
  return () => performance.now() - waited() - startMs
}

// After a process ends, its last reading is kept.
function queuedMsOf(child: ChildProcess): () => number {
  let last = 0
  const look = () => (last = Math.max(last, queuedMs(child.pid ?? 0)))
  const polling = setInterval(look, POLL_MS).unref()
  child.once('exit', () => clearInterval(polling))
  return look
}

/** How long the process's main thread has waited for a processor; zero where the kernel does not tell. */
function queuedMs(pid: number): number {
  try {
    const [, queuedNs = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(queuedNs) / 1e6
  } catch {
    return 0
  }
}

/** Processor time of this thread for synchronous work, the shortest of five runs, in milliseconds. */
export function processorMs(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...runs)
}
