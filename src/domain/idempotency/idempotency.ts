/** `Idempotency-Key`: a repeated request is executed once (draft-ietf-httpapi-idempotency-key-header). */
import type { Transaction } from '../../database/database.ts'
import { ApiError } from '../../errors.ts'
import { sha256 } from '../../lib/hash.ts'
import { findAnswer, upsertAnswer } from './idempotency-store.ts'
import { familyIdOf } from '../sign-in/authority.ts'
import type { Caller } from '../sign-in/authority.ts'
import type { User } from '../users/user-store.ts'

export const ANSWER_RETENTION_MS = 24 * 3600 * 1000

/** `isReplay`: the answer is the stored one of an earlier request. */
export type Once<T> = Readonly<{ answer: T; isReplay: boolean }>

export type IdempotentCall = Readonly<{
  key: string | undefined
  /** Each operation has keys of its own. Absent for payment links, whose stored answers had none. */
  operation?: string
  caller: Caller
  user: User
  nowMs: number
}>

/**
 * Executes a request once per `Idempotency-Key`; a repetition with the same content gets the stored answer. Without
 * `operation` a family of API keys shares its `Idempotency-Key`s, with one each API key has its own; so does a person.
 * Concurrent requests wait for each other at the user's lock, which the caller holds.
 * Nothing is stored when the work throws or returns `undefined`.
 * @param content everything that the answer depends on
 * @param work its answer is stored as it is: it must contain no secret
 * @throws {ApiError} `IDEMPOTENCY_CONFLICT` when the key was used with other content
 */
export async function withIdempotencyKey<T extends object>(
  trx: Transaction,
  { key, operation, caller, user, nowMs }: IdempotentCall,
  content: Readonly<Record<string, unknown>>,
  work: () => Promise<T | undefined>,
): Promise<Once<T> | undefined> {
  if (key === undefined) return executed(await work())
  // Not one scope per account: a thief could use up keys that the owner is about to use, such as invoice numbers.
  const family = familyIdOf(caller) ?? caller.tokenVersion
  // An API key's descendants could otherwise make a key that their ancestor would take for its own.
  const scope = operation === undefined ? family : `${caller.apiKeyId ?? caller.tokenVersion} ${operation}`
  // Header fields contain no line break, so no two pairs of scope and key have the same text.
  const keyHash = sha256(`${scope}\n${key}`)
  const requestHash = sha256(JSON.stringify(sortedEntries(content), sortProperties))
  const stored = await findAnswer(trx, user, { keyHash, unscopedHash: sha256(key) }, nowMs - ANSWER_RETENTION_MS)
  if (stored !== undefined) {
    if (stored.request_hash !== requestHash) throw new ApiError('IDEMPOTENCY_CONFLICT')
    return { answer: JSON.parse(stored.answer) as T, isReplay: true }
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
  return executed(answer)
}

const sortedEntries = (object: object): [string, unknown][] =>
  Object.entries(object).toSorted(([one], [other]) => (one < other ? -1 : 1))

// Of objects in the content too: the order of their properties does not matter.
const sortProperties = (_name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(sortedEntries(value))
    : value

const executed = <T>(answer: T | undefined): Once<T> | undefined =>
  answer === undefined ? undefined : { answer, isReplay: false }
