/** `Idempotency-Key`: a request that is sent again is done once (draft-ietf-httpapi-idempotency-key-header). */
import type { Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import { findAnswer, keepAnswer } from './idempotency-store.ts'
import type { User } from '../users/user-store.ts'

/** How long an answer is kept, in milliseconds. */
export const KEPT_FOR_MS = 24 * 3600 * 1000

/**
 * Does a user's request, within a scope of theirs, once: the same key and content get the answer of the first time.
 * Requests at once wait for each other at the user's lock, which the caller holds; where the work throws, or has no
 * answer, nothing is kept.
 * @param content all that the answer depends on
 * @throws {ApiError} `IDEMPOTENCY_CONFLICT` when the key came with other content
 */
export async function withIdempotencyKey<T extends object>(
  trx: Transaction,
  { key, user, scope, nowMs }: Readonly<{ key: string | undefined; user: User; scope: string | number; nowMs: number }>,
  content: Readonly<Record<string, unknown>>,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (key === undefined) return work()
  // Not one scope for the account: a thief could take what its owner is about to use, invoice numbers for example.
  // No header field has a line break, so that none is another's hash.
  const keyHash = sha256(`${scope}\n${key}`)
  // By name: the same content may come in another order.
  const requestHash = sha256(
    JSON.stringify(Object.entries(content).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )
  const kept = await findAnswer(trx, user, { keyHash, unscopedHash: sha256(key) }, nowMs - KEPT_FOR_MS)
  if (kept !== undefined) {
    if (kept.request_hash !== requestHash) throw new ApiError('IDEMPOTENCY_CONFLICT')
    return JSON.parse(kept.answer) as T
  }
  const answer = await work()
  if (answer === undefined) return undefined
  await keepAnswer(trx, {
    user_id: user.id,
    key_hash: keyHash,
    request_hash: requestHash,
    answer: JSON.stringify(answer),
    created_at_ms: nowMs,
  })
  return answer
}
