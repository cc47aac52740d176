/** How every process that runs tests starts: with the preload, and compiled code from one cache. */
import { join } from 'node:path'

export const PRELOAD = `--import=${join(import.meta.dirname, 'preload.ts')}`
export const COMPILE_CACHE = join(import.meta.dirname, '../../../node_modules/.cache/compile')
