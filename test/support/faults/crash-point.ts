/**
 * A point at which a process may be killed, for the hooks beside this file. With KILL_AFTER the n-th one ends the process
 * like kill -9. Without, each one copies the folder `data` to `copies/1`, `copies/2` …: a kill leaves just these files.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'

const killAfter = process.env['KILL_AFTER']
let reached = 0

export function crashPoint(): void {
  reached += 1
  if (killAfter === undefined) copyData(`copies/${reached}`)
  else if (reached === Number(killAfter)) process.kill(process.pid, 'SIGKILL')
}

function copyData(to: string): void {
  mkdirSync(to, { recursive: true })
  // Not in this process: SQLite would lose its locks on a file that is closed here.
  execFileSync('cp', ['-a', 'data', to])
}
