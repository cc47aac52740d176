/** Work that is done again and again, at even intervals, until it is stopped. */
import { sleep } from './clock.ts'

/** Repeated work. */
export type Repeated = Readonly<{
  /** Lets what is under way finish; nothing begins any more. */
  stop(): Promise<void>
}>

/**
 * Does `work` every so often; never twice at a time.
 * @param everyMs between the end of one run and the beginning of the next, in milliseconds
 * @param work must not reject; the signal says that it is time to end
 * @param firstAfterMs before the first run, in milliseconds
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
