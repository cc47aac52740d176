/** The spent_credentials table: every query on it. */
import type { Queries, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'

/** Stands in the place of a hash: every credential issued before a restore counts as spent. */
export const SPENT_BY_A_RESTORE = 'issued-before-the-restore'

/** Spends, after a restore, every credential issued until then. */
export async function spendAllIssuedUntil(trx: Transaction, untilMs: number): Promise<void> {
  await trx.query
    .insertInto('spent_credentials')
    .values({ hash: SPENT_BY_A_RESTORE, expires_at_ms: untilMs })
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ expires_at_ms: untilMs }))
    .execute()
}

/**
 * Spends a credential that works once, in one atomic statement. What was issued before the database was
 * restored counts as spent: the backup does not know what was.
 * @param hash of whatever is the credential
 * @param expiresAtMs until when it has to be remembered: nobody takes it later
 * @param issuedAtMs since when somebody may have spent it
 * @returns whether it was still good; `false`: somebody spent it before
 */
export async function spend(db: Queries, hash: string, expiresAtMs: number, issuedAtMs: number): Promise<boolean> {
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
    .where('hash', '=', SPENT_BY_A_RESTORE)
    .where('expires_at_ms', '>=', issuedAtMs)
    .executeTakeFirst()
  return restored !== undefined
}

/** Deletes a batch of credentials that have expired since. @returns how many; fewer than `limit`: there were no more */
export function deleteExpiredSpent(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'spent_credentials',
    key: ['hash'],
    orderedBy: 'expires_at_ms',
    where: (row) => row('expires_at_ms', '<', nowMs),
    limit,
  })
}
