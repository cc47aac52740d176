/** Servers of a test do not outlive it, also where it was killed and could end nothing. */
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'

/** Sends the signal to a child process, even if it stands still, as soon as this process is no more. */
export function endsWithTest(child: ChildProcess, signal: string): void {
  // Its standard input ends when this process does, however that comes.
  const script = `cat >/dev/null; kill -CONT ${child.pid}; kill -${signal} ${child.pid}`
  const watcher = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  watcher.unref()
  ;(watcher.stdin as Socket).unref()
  child.once('exit', () => watcher.kill('SIGKILL'))
}
