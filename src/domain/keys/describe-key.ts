import { toIso, toIsoOrNull } from '../../lib/clock.ts'
import { statusOf } from './key-status.ts'
import type { KeyStatus } from './key-status.ts'
import type { ApiKey } from './key-store.ts'
import { parseRestrictions } from './restrictions/restrictions.ts'
import type { Restrictions } from './restrictions/restrictions.ts'

/** Times are in ISO 8601. */
export type KeyDescription = {
  id: string
  name: string
  keyId: string
  status: KeyStatus
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
  revokedAt: string | null
  /** Absent: it has none of its own. */
  restrictions?: Restrictions
  /** Absent: what it may do is what `restrictions` says. */
  effectiveRestrictions?: Restrictions
}

export function describeKey(key: ApiKey, nowMs: number): KeyDescription {
  return {
    id: key.id,
    name: key.name,
    keyId: key.key_id,
    status: statusOf(key, nowMs),
    createdAt: toIso(key.created_at_ms),
    lastUsedAt: toIsoOrNull(key.last_used_at_ms),
    expiresAt: toIsoOrNull(key.expires_at_ms),
    revokedAt: toIsoOrNull(key.revoked_at_ms),
    ...describeRestrictions(key),
  }
}

/** What a key's own restrictions are, and what it may do if a key above it may do less. */
function describeRestrictions({
  restrictions: own,
  effective_restrictions: effect,
}: Pick<ApiKey, 'restrictions' | 'effective_restrictions'>): Pick<
  KeyDescription,
  'restrictions' | 'effectiveRestrictions'
> {
  const [restrictions, effectiveRestrictions] = [parseRestrictions(own), parseRestrictions(effect)]
  return {
    ...(restrictions !== null && { restrictions }),
    ...(effectiveRestrictions !== null && effect !== own && { effectiveRestrictions }),
  }
}
