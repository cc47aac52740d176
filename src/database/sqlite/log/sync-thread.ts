/** Syncs a descriptor on request. A thread of its own, because others fill libuv's thread pool, DNS look-ups for example. */
import { fdatasyncSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import type { Reply } from './worker-threads.ts'

const { descriptor } = workerData as { descriptor: number }

// eslint-disable-next-line unicorn/require-post-message-target-origin -- not a window
parentPort?.on('message', () => parentPort?.postMessage(sync()))

function sync(): Reply<undefined> {
  try {
    fdatasyncSync(descriptor)
    return { done: undefined }
  } catch (error) {
    return { failed: error }
  }
}
