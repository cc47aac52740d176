/** Runs transactions again that others kept from committing. */
import { wait } from '../lib/clock.ts'
import { systemRandom } from '../lib/random.ts'

/** The longest wait before the second attempt, in milliseconds; it doubles each time. */
const FIRST_WAIT_MS = 8
/**
 * Attempts by SQLSTATE: serialization failure, deadlock, and a lock timeout, of which one in a circle is enough
 * (PostgreSQL, appendix A). All of them undo the whole transaction.
 */
const MAX_ATTEMPTS: Readonly<Record<string, number>> = { '40001': 5, '40P01': 5, '55P03': 2 }

/** Runs a transaction until it commits, or fails for a reason of its own. */
export async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      const { code = '' } = (error ?? {}) as { code?: string }
      if (attempt >= (MAX_ATTEMPTS[code] ?? 1)) throw error
      // A random wait, or two transactions that met would meet again.
      const waitMs = FIRST_WAIT_MS * 2 ** attempt * (systemRandom.bytes(1).readUInt8() / 256)
      await wait(waitMs)
    }
  }
}
