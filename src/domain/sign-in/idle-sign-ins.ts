import type { Config } from '../../config/settings.ts'
import { DAY_MS } from '../../lib/clock.ts'

/** The last use of a sign-in is written up to five minutes later. */
const WRITTEN_WITHIN_MS = 5 * 60_000

/** Sign-ins last seen at this time or before have ended (`SESSION_IDLE_DAYS`). */
export function idleSinceMs({ sessionIdleDays }: Pick<Config, 'sessionIdleDays'>, nowMs: number): number {
  return sessionIdleDays === undefined ? -1 : nowMs - sessionIdleDays * DAY_MS - WRITTEN_WITHIN_MS
}
