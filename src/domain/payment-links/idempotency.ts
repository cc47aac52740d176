/** `Idempotency-Key`: a repeated request is executed once (draft-ietf-httpapi-idempotency-key-header). */
import type { Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import { findAnswer, upsertAnswer } from './idempotency-store.ts'
import type { User } from '../users/user-store.ts'

export const ANSWER_RETENTION_MS = 24 * 3600 * 1000

/**
 * Executes a user's request once per scope and key; a repetition with the same content gets the stored answer.
 * Concurrent requests wait for each other at the user's lock, which the caller holds. Nothing is stored when the work
 * throws or returns `undefined`.
 * @param content everything that the answer depends on
 * @throws {ApiError} `IDEMPOTENCY_CONFLICT` when the key was used with other content
 */
export async function withIdempotencyKey<T extends object>(
  trx: Transaction,
  { key, user, scope, nowMs }: Readonly<{ key: string | undefined; user: User; scope: string | number; nowMs: number }>,
  content: Readonly<Record<string, unknown>>,
  work: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (key === undefined) return work()
  // Not one scope per account: a thief could use up keys that the owner is about to use, such as invoice numbers.
  // Header fields contain no line break, so no two pairs of scope and key have the same text.
  const keyHash = sha256(`${scope}\n${key}`)
  // Sorted by name: the order of the properties does not matter.
  const requestHash = sha256(
    JSON.stringify(Object.entries(content).toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )
  const stored = await findAnswer(trx, user, { keyHash, unscopedHash: sha256(key) }, nowMs - ANSWER_RETENTION_MS)
  if (stored !== undefined) {
    if (stored.request_hash !== requestHash) throw new ApiError('IDEMPOTENCY_CONFLICT')
    return JSON.parse(stored.answer) as T
  }
  const answer = await work()
  if (answer === undefined) return undefined
  await upsertAnswer(trx, {
    user_id: user.id,
    key_hash: keyHash,
    request_hash: requestHash,
    answer: JSON.stringify(answer),
    created_at_ms: nowMs,
  })
  return answer
}
