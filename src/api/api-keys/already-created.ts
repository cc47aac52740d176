import { ApiError } from '../../errors.ts'
import { statusOf } from '../../domain/keys/key-status.ts'
import type { ApiKey } from '../../domain/keys/key-store.ts'

/** What is stored under an `Idempotency-Key`: only the hash of a secret is kept, so a repeat cannot get it again. */
export type KeyMade = Readonly<{ id: string; name: string; keyId: string }>

export const toKeyMade = ({ id, name, key_id: keyId }: ApiKey): KeyMade => ({ id, name, keyId })

/**
 * The answer to a repeated creation or rotation.
 * @param made by the first request
 * @param key as it is now, if it is still on record
 */
export function alreadyCreated(
  what: 'created' | 'rotated',
  { id, name, keyId }: KeyMade,
  key: ApiKey | undefined,
  nowMs: number,
): ApiError {
  const isActive = key !== undefined && statusOf(key, nowMs) === 'ACTIVE'
  const next = isActive
    ? `Its secret was in the first response only. To get a new one, rotate the key with another Idempotency-Key: POST /auth/api-keys/${id}/rotate.`
    : 'The key is not active now: create another one with another Idempotency-Key.'
  return new ApiError('ALREADY_CREATED', {
    message: `An earlier request with this Idempotency-Key has already ${what} the API key "${name}" (${keyId}). ${next}`,
  })
}
