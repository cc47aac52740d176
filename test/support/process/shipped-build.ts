/**
 * The service as it ships, for tests that run it in processes of their own: the bundle starts in a third of the time of
 * the sources. Built once for each state of the sources.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const HOUR_MS = 3_600_000
const root = join(import.meta.dirname, '../../..')
const cache = join(root, 'node_modules/.cache')
const builder = 'scripts/build-server.ts'

/** Path of the built command line. */
export const CLI = join(built(), 'paylink-auth.js')

function built(): string {
  const digest = createHash('sha256')
  const sources = globSync(['{src,cli}/**/*.*', 'web/dist/**/built-from', 'package*.json', builder], { cwd: root })
  for (const path of sources.toSorted()) digest.update(`${path}\n`).update(readFileSync(join(root, path)))
  const folder = join(cache, `service-${digest.digest('hex').slice(0, 16)}`)
  if (!existsSync(folder)) build(folder)
  return folder
}

function build(folder: string): void {
  mkdirSync(cache, { recursive: true })
  for (const old of globSync(join(cache, 'service-*'))) {
    if (Date.now() - statSync(old).mtimeMs > HOUR_MS) rmSync(old, { recursive: true })
  }
  const unfinished = mkdtempSync(join(cache, 'unfinished-'))
  execFileSync(process.execPath, [join(root, builder), unfinished])
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    // Another process built it first.
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true })
  }
}
