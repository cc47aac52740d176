/** What an API key is good for now: the one place that says it. */
import type { ApiKey } from './key-store.ts'

/** The states of a key, as they are answered. */
export const keyStatuses = ['ACTIVE', 'AWAITS_OWNER', 'EXPIRED', 'REVOKED'] as const

/** Only an `ACTIVE` key can be exchanged, and only its tokens are accepted. */
export type KeyStatus = (typeof keyStatuses)[number]

/** The state of a key at this time. What cannot come back to life is said before what can. */
export function statusOf(
  key: Pick<ApiKey, 'revoked_at_ms' | 'expires_at_ms' | 'awaits_owner_at_ms'>,
  nowMs: number,
): KeyStatus {
  if (key.revoked_at_ms !== null) return 'REVOKED'
  if (key.expires_at_ms !== null && key.expires_at_ms <= nowMs) return 'EXPIRED'
  return key.awaits_owner_at_ms === null ? 'ACTIVE' : 'AWAITS_OWNER'
}
