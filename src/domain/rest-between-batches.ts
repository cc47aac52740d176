import { sleep, wait } from '../lib/clock.ts'

const REST_MS = 10

/** Requests run meanwhile, which an embedded database would block. Keeps a command alive, unlike `sleep` alone. */
export const restBetweenBatches = (stopping: AbortSignal): Promise<void> =>
  Promise.race([sleep(REST_MS, stopping), wait(REST_MS)])
