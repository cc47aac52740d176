/** Ends a test's servers with it, even if the test was killed. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'

/** Signals a child process, even a stopped one, as soon as this process ends. */
export function endsWithTest(child: ChildProcess, signal: string): void {
  // Its standard input closes when this process ends, even by a kill.
  const script = `cat >/dev/null; kill -CONT ${child.pid}; kill -${signal} ${child.pid}`
  const watcher = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watcher.unref()
  ;(watcher.stdin as Socket).unref()
  child.once('exit', () => watcher.kill('SIGKILL'))
}
