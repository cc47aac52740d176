import type { Selectable } from 'kysely'
import type { Queries, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import type { IdempotencyKeysTable } from '../../database/tables/payment-tables.ts'
import type { User } from '../users/user-store.ts'

export type StoredAnswer = Selectable<IdempotencyKeysTable>

/**
 * The answer stored under a key since a time. The caller holds the user's lock.
 * @param keys `keyHash` is scoped. `unscopedHash` finds answers of versions without scopes; on a claimed account only
 * those since the claim, so that the owner does not get a stranger's answer
 */
export function findAnswer(
  trx: Transaction,
  { id, claimed_at_ms: claimedAtMs }: Pick<User, 'id' | 'claimed_at_ms'>,
  { keyHash, unscopedHash }: Readonly<{ keyHash: string; unscopedHash: string }>,
  sinceMs: number,
): Promise<StoredAnswer | undefined> {
  return trx.query
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('user_id', '=', id)
    .where('key_hash', 'in', [keyHash, unscopedHash])
    .where((row) => row.or([row('key_hash', '=', keyHash), row('created_at_ms', '>=', claimedAtMs ?? 0)]))
    .where('created_at_ms', '>', sinceMs)
    .executeTakeFirst()
}

/** Stores an answer; replaces an expired one. The caller holds the user's lock. */
export async function upsertAnswer(trx: Transaction, answer: StoredAnswer): Promise<void> {
  const { request_hash, answer: text, created_at_ms } = answer
  await trx.query
    .insertInto('idempotency_keys')
    .values(answer)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'key_hash']).doUpdateSet({ request_hash, answer: text, created_at_ms }),
    )
    .execute()
}

/** Deletes a batch of answers stored up to a time. @returns rows deleted; fewer than `limit` when none are left */
export function deleteAnswersBefore(db: Queries, untilMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'idempotency_keys',
    key: ['user_id', 'key_hash'],
    orderedBy: 'created_at_ms',
    where: (row) => row('created_at_ms', '<=', untilMs),
    limit,
  })
}
