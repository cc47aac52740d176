/**
 * The target's main thread has a processor of its own, everything else another one, and both are kept awake: where a
 * hypervisor has to wake a sleeping processor, that costs more than a call. With its garbage collectors on the processor
 * of the main thread, a target stops for up to 50 ms at a time.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism, setPriority } from 'node:os'
import { endsWithTest } from '../test/support/process/ends-with-test.ts'

const TARGET = '0'
const LOAD = '1'
const LOAD_PRIORITY = -10

const canPin = ['/usr/bin/taskset', '/usr/bin/chrt'].every((path) => existsSync(path)) && availableParallelism() > 1

/** Moves this process, and what it starts from now on, to the load's processor. */
export function separateProcessors(): void {
  if (!canPin) return
  // Runs only when nothing else wants the processor.
  for (const processor of [TARGET, LOAD]) {
    const spinner = ['-c', processor, 'chrt', '--idle', '0', '/bin/sh', '-c', 'while :; do :; done']
    const child = spawn('taskset', spinner, { stdio: 'ignore' })
    child.unref()
    endsWithTest(child, 'KILL')
  }
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', LOAD, String(process.pid)], { stdio: 'ignore' })
}

/** A new target's main thread gets the target's processor. Its other threads stay on the load's, for example V8's garbage collectors. */
export function giveProcessor(pid: number): void {
  if (canPin) execFileSync('taskset', ['--cpu-list', '--pid', TARGET, String(pid)], { stdio: 'ignore' })
}

/** Before the target's threads on the same processor, so that no answer waits for the load generator. */
export function preferLoad(pid: number): void {
  // Only root may.
  if (canPin && process.getuid?.() === 0) setPriority(pid, LOAD_PRIORITY)
}
