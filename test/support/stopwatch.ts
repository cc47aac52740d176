/** Times that a busy machine does not lengthen: bounds on them say what the code does, not what else runs. */
import type { ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'

const POLL_MS = 20

/**
 * Starts a stopwatch.
 * @param started processes beside this one that are measured too
 * @returns milliseconds since, without those in which one of them was ready to run and others had the processors
 */
export function stopwatch(...started: readonly Readonly<{ child: ChildProcess }>[]): () => number {
  const beside = started.map(({ child }) => queuedMsOf(child))
  const waited = () => beside.reduce((sum, queued) => sum + queued(), queuedMs(process.pid))
  const startMs = performance.now() - waited()
  return () => performance.now() - waited() - startMs
}

// A process that has ended is asked no more: what it said last is kept.
function queuedMsOf(child: ChildProcess): () => number {
  let last = 0
  const look = () => (last = Math.max(last, queuedMs(child.pid ?? 0)))
  const polling = setInterval(look, POLL_MS).unref()
  child.once('exit', () => clearInterval(polling))
  return look
}

/** How long the kernel has kept the process's main thread waiting for a processor; zero where it does not say. */
function queuedMs(pid: number): number {
  try {
    const [, queuedNs = '0'] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')
    return Number(queuedNs) / 1e6
  } catch {
    return 0
  }
}

/** Processor time of this thread for synchronous work, the shortest of five runs; in milliseconds. */
export function processorMs(work: () => unknown): number {
  const runs = Array.from({ length: 5 }, () => {
    const before = process.threadCpuUsage()
    work()
    const { user, system } = process.threadCpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...runs)
}
