/** Runs a process on a slow, observed or lying disk: see disk-shim.c. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'

const source = join(import.meta.dirname, 'disk-shim.c')
const cache = join(import.meta.dirname, '../../../node_modules/.cache')

type DiskOptions = Readonly<{
  /** Added to each sync. */
  syncMs: number
  /** File to which changes and syncs of the embedded database are appended. */
  trace?: string
  /** Syncs return at once, and end later. */
  lies?: boolean
}>

/** Environment of a process on such a disk. Needs a C compiler. */
export function diskEnv({ syncMs, trace, lies = false }: DiskOptions): Record<string, string> {
  return {
    LD_PRELOAD: compiled(),
    DISK_SYNC_US: String(Math.round(syncMs * 1000)),
    ...(trace === undefined ? {} : { DISK_TRACE: trace }),
    ...(lies ? { DISK_LIES: '1' } : {}),
  }
}

function compiled(): string {
  const digest = createHash('sha256').update(readFileSync(source)).digest('hex').slice(0, 16)
  const library = join(cache, `disk-shim-${digest}.so`)
  if (existsSync(library)) return library
  mkdirSync(cache, { recursive: true })
  const unfinished = `${library}.${process.pid}`
  execFileSync('cc', ['-Wall', '-Werror', '-shared', '-fPIC', '-O2', '-o', unfinished, source, '-ldl'])
  renameSync(unfinished, library)
  return library
}
