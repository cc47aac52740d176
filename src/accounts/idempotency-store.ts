/** The idempotency_keys table: every query on it. */
import type { Selectable } from 'kysely'
import type { Db, DbTransaction } from '../db/db.ts'
import type { IdempotencyKeysTable } from '../db/payment-tables.ts'
import type { User } from './user-store.ts'

/** What a request with a key was answered. */
export type KeptAnswer = Selectable<IdempotencyKeysTable>

/**
 * The answer to a user's request with this key, kept since a time; on a claimed account, since the claim: the owner's
 * request must not get the answer to a stranger's. The caller holds the user's lock.
 */
export function findAnswer(
  trx: DbTransaction,
  { id, claimed_at_ms: claimedAtMs }: Pick<User, 'id' | 'claimed_at_ms'>,
  keyHash: string,
  sinceMs: number,
): Promise<KeptAnswer | undefined> {
  const answers = trx
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('user_id', '=', id)
    .where('key_hash', '=', keyHash)
    .where('created_at_ms', '>', sinceMs)
  if (claimedAtMs === null) return answers.executeTakeFirst()
  return answers
    .where((row) => {
      const byOlderVersion = row.and([row('claimed_at_ms', '=', 0), row('created_at_ms', '>=', claimedAtMs)])
      return row.or([row('claimed_at_ms', '=', claimedAtMs), byOlderVersion])
    })
    .executeTakeFirst()
}

/** Keeps an answer; one that does not count any more is replaced. The caller holds the user's lock. */
export async function keepAnswer(trx: DbTransaction, answer: KeptAnswer): Promise<void> {
  const { request_hash, answer: text, created_at_ms, claimed_at_ms } = answer
  await trx
    .insertInto('idempotency_keys')
    .values(answer)
    .onConflict((conflict) => conflict.columns(['user_id', 'key_hash']).doUpdateSet({ request_hash, answer: text, created_at_ms, claimed_at_ms }))
    .execute()
}

/**
 * Takes some out that are too old to count, as `deleteEventsBefore` does.
 * @returns how many; fewer than `limit`: there were no more
 */
export async function deleteAnswersBefore(db: Db, beforeMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .with('old_answers', (old) =>
      old
        .selectFrom('idempotency_keys')
        .select(['user_id', 'key_hash'])
        .where('created_at_ms', '<=', beforeMs)
        .orderBy('created_at_ms')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('idempotency_keys')
    .where((row) => {
      const old = row.selectFrom('old_answers').select(['user_id', 'key_hash']).$asTuple('user_id', 'key_hash')
      return row.eb(row.refTuple('user_id', 'key_hash'), 'in', old)
    })
    .executeTakeFirst()
  return Number(numDeletedRows)
}
