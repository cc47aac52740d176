import { elapsedMs, immediately, nextTurn } from '../../lib/clock.ts'

/** How long transactions run back to back before the event loop gets a turn. */
const TURN_MS = 5

/** A thousand queued transactions must not delay a read. */
export class TurnBudget {
  #beganMs: number | undefined

  /** Resolves at once while this turn of the event loop has time left, otherwise in the next one. */
  async take(): Promise<void> {
    if (this.#beganMs === undefined) {
      this.#beganMs = elapsedMs()
      immediately(() => (this.#beganMs = undefined))
    } else if (elapsedMs() - this.#beganMs > TURN_MS) {
      await nextTurn()
      this.#beganMs = undefined
    }
  }
}
