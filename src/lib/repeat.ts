import { sleep } from './clock.ts'

export type Repeated = Readonly<{
  /** Waits for the current run; no other run starts. */
  stop(): Promise<void>
}>

/**
 * Runs `work` repeatedly, one run at a time.
 * @param everyMs from the end of one run to the start of the next
 * @param work must not reject; the signal aborts on `stop`
 */
export function repeat(
  everyMs: number,
  work: (stopping: AbortSignal) => Promise<void>,
  firstAfterMs: number = everyMs,
): Repeated {
  const stopping = new AbortController()

  async function run(): Promise<void> {
    for (let waitMs = firstAfterMs; ; waitMs = everyMs) {
      await sleep(waitMs, stopping.signal)
      if (stopping.signal.aborted) return
      await work(stopping.signal)
    }
  }
  const running = run()

  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}
