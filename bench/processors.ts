/**
 * The target's main thread has a processor of its own, everything else another one, and both are kept awake: where a
 * hypervisor has to wake a sleeping processor, that costs more than a call. With its garbage collectors on the processor
 * of the main thread, a target stops for up to 50 ms at a time.
 */
import { execFileSync, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { endsWithTest } from '../test/support/process/ends-with-test.ts'

/** Undefined: this process may use one processor only, or the programs of util-linux are missing. */
const processors = twoProcessors()

function twoProcessors(): Readonly<{ target: number; load: number }> | undefined {
  if (!['/usr/bin/taskset', '/usr/bin/chrt'].every((path) => existsSync(path))) return undefined
  // A container may be limited to any of the machine's processors, for example `2-3,7`.
  const [, list = ''] = /^Cpus_allowed_list:\s+(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? []
  const [target, load] = list.split(',').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return first === last ? [first] : [first, first + 1]
  })
  return target === undefined || load === undefined ? undefined : { target, load }
}

/** Loops that keep the processors awake. They run only when nothing else of this session wants the processor. */
const idleLoops: ChildProcess[] = []

/** Moves this process, and what it starts from now on, to the load's processor. */
export function separateProcessors(): void {
  if (processors === undefined) return
  for (const processor of [processors.target, processors.load]) {
    const spinner = ['-c', String(processor), 'chrt', '--idle', '0', '/bin/sh', '-c', 'while :; do :; done']
    const child = spawn('taskset', spinner, { stdio: 'ignore' })
    child.unref()
    endsWithTest(child, 'KILL')
    idleLoops.push(child)
  }
  moveTo(processors.load, process.pid, '--all-tasks')
}

/**
 * Stops the idle loops, or lets them go on. A PostgreSQL server has a session of its own, and Linux schedules sessions
 * as equals (`sched_autogroup_enabled`): beside a loop its queries take up to a second.
 */
export function runIdleLoops(isOn: boolean): void {
  for (const loop of idleLoops) loop.kill(isOn ? 'SIGCONT' : 'SIGSTOP')
}

/**
 * Gives the target's main thread the target's processor, and its other threads the load's. Call it before each
 * measurement: a thread that the main thread started since, for example for its mails, began on its processor.
 */
export function giveProcessor(pid: number): void {
  if (processors === undefined) return
  try {
    moveTo(processors.load, pid, '--all-tasks')
  } catch {
    // A thread has ended meanwhile.
  }
  moveTo(processors.target, pid)
}

function moveTo(processor: number, pid: number, ...options: string[]): void {
  const args = [...options, '--cpu-list', '--pid', String(processor), String(pid)]
  execFileSync('taskset', args, { stdio: 'ignore' })
}

/**
 * Before everything else on the same processor, so that no answer waits for the load generator. A higher priority of the
 * usual kind is not enough: a thread that wakes waits until the one that runs has had its turn, for up to 4 ms each. Call
 * it before each measurement, for the threads started since.
 * @returns whether it does; it needs a privilege, which also root in a container may lack: latencies are then higher
 */
export function preferLoad(pid: number): boolean {
  if (processors === undefined) return false
  try {
    // V8's threads come first: the main thread waits for them, without sleeping.
    execFileSync('chrt', ['--all-tasks', '--fifo', '--pid', '2', String(pid)], { stdio: 'ignore' })
    execFileSync('chrt', ['--fifo', '--pid', '1', String(pid)], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
