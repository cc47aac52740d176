/** Making an API key: the row to store and the secret to show once. */
import type { Caller } from '../../accounts/authenticate.ts'
import { newKeyId, newKeySecret } from '../../accounts/key-secret.ts'
import type { ApiKey } from '../../accounts/key-store.ts'
import type { Deps } from '../../deps.ts'
import { sha256 } from '../../lib/hash.ts'

/** The name of a key whose maker gave it none. */
const DEFAULT_KEY_NAME = 'API key'

/** A key that is not stored yet, and its secret, which is nowhere else. */
export function newKey(
  { clock, random }: Deps,
  key: Readonly<{
    userId: string
    name: string | undefined
    /** Whose token makes it; absent: nobody's, it comes with the account. */
    maker?: Pick<Caller, 'apiKeyId' | 'signInId'>
    expiresAtMs: number | null
  }>,
): { row: ApiKey; secret: string } {
  const secret = newKeySecret(random)
  return {
    secret,
    row: {
      id: random.uuid(),
      user_id: key.userId,
      name: key.name ?? DEFAULT_KEY_NAME,
      key_id: newKeyId(random),
      secret_hash: sha256(secret),
      created_by_key_id: key.maker?.apiKeyId ?? null,
      created_by_sign_in_id: key.maker?.signInId ?? null,
      created_at_ms: clock.now(),
      expires_at_ms: key.expiresAtMs,
      awaits_owner_at_ms: null,
      revoked_at_ms: null,
      last_used_at_ms: null,
      rotated_by_key_id: null,
      rotated_at_ms: null,
      previous_secret_hash: null,
      previous_secret_until_ms: null,
      week_notice_at_ms: null,
      day_notice_at_ms: null,
    },
  }
}
