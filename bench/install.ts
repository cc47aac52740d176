/** Builds the service, and installs the packages of the other contestants. */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const lock = fileURLToPath(new URL('package-lock.json', import.meta.url))
const installed = fileURLToPath(new URL('node_modules/.package-lock.json', import.meta.url))

/** @param needsPeers whether a contestant needs the packages of bench/ */
export function install(needsPeers: boolean): void {
  execFileSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' })
  const isCurrent = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs
  if (needsPeers && !isCurrent) execFileSync('npm', ['--prefix', 'bench', 'ci'], { cwd: root, stdio: 'inherit' })
}
