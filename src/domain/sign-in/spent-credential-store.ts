import type { Queries, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'

/** Takes the place of a hash: every credential issued before a restore counts as spent. */
const SPENT_BY_RESTORE = 'issued-before-the-restore'

export async function spendAllIssuedUntil(trx: Transaction, untilMs: number): Promise<void> {
  await trx.query
    .insertInto('spent_credentials')
    .values({ hash: SPENT_BY_RESTORE, expires_at_ms: untilMs })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ expires_at_ms: untilMs }))
    .execute()
}

/**
 * Spends a one-time credential, in one atomic statement. Credentials issued before a restore count as spent: the backup
 * does not know which were.
 * @param hash of the credential
 * @param expiresAtMs until when it must be remembered; expired credentials are refused anyway
 * @param issuedAtMs earliest time at which it can have been spent
 * @returns false when it was spent before
 */
export async function spendCredential(
  db: Queries,
  hash: string,
  expiresAtMs: number,
  issuedAtMs: number,
): Promise<boolean> {
  if (await isFromBeforeRestore(db, issuedAtMs)) return false
  const inserted = await db.query
    .insertInto('spent_credentials')
    .values({ hash, expires_at_ms: expiresAtMs })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return inserted !== undefined
}

async function isFromBeforeRestore(db: Queries, issuedAtMs: number): Promise<boolean> {
  const restored = await db.query
    .selectFrom('spent_credentials')
    .select('hash')
    .where('hash', '=', SPENT_BY_RESTORE)
    .where('expires_at_ms', '>=', issuedAtMs)
    .executeTakeFirst()
  return restored !== undefined
}

/** Deletes a batch of expired credentials. @returns rows deleted; fewer than `limit` when none are left */
export function deleteExpiredCredentials(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'spent_credentials',
    key: ['hash'],
    orderedBy: 'expires_at_ms',
    where: (row) => row('expires_at_ms', '<', nowMs),
    limit,
  })
}
