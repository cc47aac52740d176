/** Work that is done again and again, at even intervals, until it is stopped. */
import { sleep } from './clock.ts'

/** Repeated work. */
export type Repeated = Readonly<{
  /** Lets what is under way finish; nothing begins any more. */
  stop(): Promise<void>
}>

/**
 * Does `work` every so often, for the first time after one interval; never twice at a time.
 * @param everyMs between the end of one run and the beginning of the next, in milliseconds
 * @param work must not reject
 */
export function repeat(everyMs: number, work: () => Promise<void>): Repeated {
  const stopping = new AbortController()

  async function run(): Promise<void> {
    for (;;) {
      await sleep(everyMs, stopping.signal)
      if (stopping.signal.aborted) return
      await work()
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
