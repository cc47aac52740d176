/** Installs what the others are made of, and builds what is shipped of the service. */
import { execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const lock = fileURLToPath(new URL('package-lock.json', import.meta.url))
const installed = fileURLToPath(new URL('node_modules/.package-lock.json', import.meta.url))

/** @param needsPeers whether anything is measured that the root's packages do not have */
export function install(needsPeers: boolean): void {
  execFileSync('npm', ['run', '-s', 'build'], { cwd: root, stdio: 'inherit' })
  const isCurrent = existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs
  if (needsPeers && !isCurrent) execFileSync('npm', ['--prefix', 'bench', 'ci'], { cwd: root, stdio: 'inherit' })
}
