import { newKeyId, newKeySecret } from './key-secret.ts'
import type { ApiKey } from './key-store.ts'
import type { StoredRestrictions } from './restrictions/restrictions.ts'
import type { DomainDeps } from '../deps.ts'
import { DAY_MS } from '../../lib/clock.ts'
import { sha256 } from '../../lib/hash.ts'

export const DEFAULT_KEY_NAME = 'API key'
export const MAX_LIFETIME_DAYS = 3650

/** An unsaved key and its secret, which is stored nowhere. */
export function newKey(
  { clock, random }: Pick<DomainDeps, 'clock' | 'random'>,
  key: Readonly<{
    userId: string
    name: string | undefined
    /** Absent: never. */
    expiresInDays?: number | undefined
    /** Absent when no key's token creates it. */
    familyId?: string | null
    creatorId?: string | null
    restrictions?: StoredRestrictions
  }>,
): { row: ApiKey; secret: string } {
  const secret = newKeySecret(random)
  const nowMs = clock.now()
  return {
    secret,
    row: {
      id: random.uuid(),
      user_id: key.userId,
      name: key.name ?? DEFAULT_KEY_NAME,
      key_id: newKeyId(random),
      secret_hash: sha256(secret),
      created_at_ms: nowMs,
      expires_at_ms: key.expiresInDays === undefined ? null : nowMs + key.expiresInDays * DAY_MS,
      awaits_owner_at_ms: null,
      revoked_at_ms: null,
      last_used_at_ms: null,
      last_used_network: null,
      rotated_at_ms: null,
      previous_secret_hash: null,
      previous_secret_until_ms: null,
      week_notice_at_ms: null,
      day_notice_at_ms: null,
      family_id: key.familyId ?? null,
      restrictions: key.restrictions ?? null,
      effective_restrictions: key.restrictions ?? null,
      creator_id: key.creatorId ?? null,
    },
  }
}
