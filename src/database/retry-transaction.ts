/** Retries transactions that failed because of concurrent ones. */
import { wait } from '../lib/clock.ts'
import { systemRandom } from '../lib/random.ts'

/** Maximum wait before the second attempt; doubles with each attempt. */
const FIRST_WAIT_MS = 8
/**
 * Attempts by SQLSTATE: serialization failure, deadlock, lock timeout (PostgreSQL, appendix A); each rolls back the
 * whole transaction. A lock timeout is retried once: that resolves a cycle of waiting transactions.
 */
const MAX_ATTEMPTS: Readonly<Record<string, number>> = { '40001': 5, '40P01': 5, '55P03': 2 }

const attemptsOf = (error: unknown): number => MAX_ATTEMPTS[((error ?? {}) as { code?: string }).code ?? ''] ?? 1

/** Whether the transaction failed because of a concurrent one, and may succeed when it runs again. */
export const isRetried = (error: unknown): boolean => attemptsOf(error) > 1

/**
 * @param mayRetry asked after an attempt that failed; default: always
 * @throws the error of the last attempt, or any other error at once
 */
export async function withRetries<T>(run: () => Promise<T>, mayRetry = () => true): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run()
    } catch (error) {
      if (attempt >= attemptsOf(error) || !mayRetry()) throw error
      // Jitter: otherwise two colliding transactions would collide again.
      const waitMs = FIRST_WAIT_MS * 2 ** attempt * (systemRandom.bytes(1).readUInt8() / 256)
      await wait(waitMs)
    }
  }
}
