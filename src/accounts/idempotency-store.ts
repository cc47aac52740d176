/** The idempotency_keys table: every query on it. */
import type { Selectable } from 'kysely'
import type { Db, DbTransaction } from '../db/db.ts'
import type { IdempotencyKeysTable } from '../db/payment-tables.ts'

/** What a request with a key was answered. */
export type KeptAnswer = Selectable<IdempotencyKeysTable>

/** The answer to a user's request with one of these keys, kept since a time. The caller holds the user's lock. */
export function findAnswer(trx: DbTransaction, userId: string, keyHashes: readonly string[], sinceMs: number): Promise<KeptAnswer | undefined> {
  return trx
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('key_hash', 'in', keyHashes)
    .where('created_at_ms', '>', sinceMs)
    .executeTakeFirst()
}

/** Keeps an answer; one that is too old to count is replaced. The caller holds the user's lock. */
export async function keepAnswer(trx: DbTransaction, answer: KeptAnswer): Promise<void> {
  const { request_hash, answer: text, created_at_ms } = answer
  await trx
    .insertInto('idempotency_keys')
    .values(answer)
    .onConflict((conflict) => conflict.columns(['user_id', 'key_hash']).doUpdateSet({ request_hash, answer: text, created_at_ms }))
    .execute()
}

/** Takes all answers to the user out. */
export async function deleteAnswersOfUser(trx: DbTransaction, userId: string): Promise<void> {
  await trx.deleteFrom('idempotency_keys').where('user_id', '=', userId).execute()
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
