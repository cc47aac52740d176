/** The spent_credentials table: every query on it. */
import type { Db } from '../db/db.ts'

/**
 * Spends a credential that works once, in one atomic statement.
 * @param hash of whatever is the credential
 * @param expiresAtMs until when it has to be remembered: nobody takes it later
 * @returns whether it was still good; `false`: somebody spent it before
 */
export async function spend(db: Db, hash: string, expiresAtMs: number): Promise<boolean> {
  const inserted = await db
    .insertInto('spent_credentials')
    .values({ hash, expires_at_ms: expiresAtMs })
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Takes some out that nobody would take any more, as `deleteEventsBefore` does.
 * @returns how many; fewer than `limit`: there were no more
 */
export async function deleteExpiredSpent(db: Db, nowMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await db
    .with('expired_credentials', (expired) =>
      expired
        .selectFrom('spent_credentials')
        .select('hash')
        .where('expires_at_ms', '<', nowMs)
        .orderBy('expires_at_ms')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .deleteFrom('spent_credentials')
    .where('hash', 'in', (expired) => expired.selectFrom('expired_credentials').select('hash'))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
