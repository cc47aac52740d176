/** Decides the state of an API key. `isUnspent` and `isExpired` in key-store.ts are the same in SQL. */
import type { ApiKey } from './key-store.ts'

export const keyStatuses = ['ACTIVE', 'AWAITS_OWNER', 'EXPIRED', 'REVOKED'] as const

/** Only an `ACTIVE` key can be exchanged, and only its tokens are accepted. */
export type KeyStatus = (typeof keyStatuses)[number]

/** Final states take precedence. */
export function statusOf(
  key: Pick<ApiKey, 'revoked_at_ms' | 'expires_at_ms' | 'awaits_owner_at_ms'>,
  nowMs: number,
): KeyStatus {
  if (key.revoked_at_ms !== null) return 'REVOKED'
  if (key.expires_at_ms !== null && key.expires_at_ms <= nowMs) return 'EXPIRED'
  return key.awaits_owner_at_ms === null ? 'ACTIVE' : 'AWAITS_OWNER'
}
