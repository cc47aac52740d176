/**
 * The target has a processor of its own, the load another one, and both are kept awake: where a hypervisor has to wake a
 * sleeping processor, that costs more than a call.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { endsWithTest } from '../test/support/process/ends-with-test.ts'

const TARGET = '0'
const LOAD = '1'

const canPin = ['/usr/bin/taskset', '/usr/bin/chrt'].every((path) => existsSync(path)) && availableParallelism() > 1

/** Moves this process, and what it starts from now on, to the load's processor. */
export function separateProcessors(): void {
  if (!canPin) return
  for (const processor of [TARGET, LOAD]) {
    // Runs only when nothing else wants the processor.
    const spinner = ['-c', processor, 'chrt', '--idle', '0', '/bin/sh', '-c', 'while :; do :; done']
    const child = spawn('taskset', spinner, { stdio: 'ignore' })
    child.unref()
    endsWithTest(child, 'KILL')
  }
  execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', LOAD, String(process.pid)], { stdio: 'ignore' })
}

/** The command that runs Node.js on the target's processor. */
export const targetCommand = (args: readonly string[]): readonly [command: string, args: readonly string[]] =>
  canPin ? ['taskset', ['-c', TARGET, process.execPath, ...args]] : [process.execPath, args]
