/** Threads, for work that would hold the event loop. */
import { Worker } from 'node:worker_threads'
import { packageRoot } from './package-root.ts'

/** Their programs. The build keeps these paths. */
export const THREADS = [
  'src/database/sqlite/log/checkpoint-thread',
  'src/database/sqlite/log/sync-thread',
  'src/mail/smtp-thread',
] as const

const EXTENSION = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** @param heapMb a thread that needs more ends with `ERR_WORKER_OUT_OF_MEMORY` */
export const startThread = (program: (typeof THREADS)[number], workerData: object, heapMb: number): Worker =>
  new Worker(new URL(`${program}.${EXTENSION}`, packageRoot), {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: heapMb / 8 },
    // Options of the main thread, such as loaders of tests, do not concern it.
    execArgv: [],
  })
