/** Accounts with very many rows, made by a few statements on either database. */
import { sql } from 'kysely'
import type { Db } from '../../src/db/db.ts'

/** What the links of an account have in common; `n` is the number of the link, the oldest is 1. */
export type LinkShape = Readonly<{ deactivatedAt?: string; expiresAt?: string; apiKeyId?: string; reference?: string; claimedAt?: string }>

/**
 * Adds payment links to an account, each a millisecond newer than the one before.
 * @param shape SQL for some columns
 */
export async function addLinks(db: Db, userId: string, count: number, shape: LinkShape = {}): Promise<void> {
  const raw = (text = 'null') => sql.raw(text)
  await sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})
    insert into payment_links (id, user_id, api_key_id, title, reference, amount, currency, created_at_ms, expires_at_ms, deactivated_at_ms, claimed_at_ms)
    select ${sql.lit(userId)} || '-' || (10000000 + n), ${sql.lit(userId)}, ${raw(shape.apiKeyId)}, 'Lunch', ${raw(shape.reference)}, 1050, 'RON',
      1700000000000 + n, ${raw(shape.expiresAt)}, ${raw(shape.deactivatedAt)}, ${raw(shape.claimedAt ?? '1')}
    from numbers`.execute(db)
}

/** Adds as many rows to every other table that deleting the account takes rows from. */
export async function addOtherRows(db: Db, userId: string, count: number): Promise<void> {
  const numbers = sql`with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)})`
  const id = sql`${sql.lit(userId)} || '-' || (10000000 + n)`
  const user = sql.lit(userId)
  await sql`${numbers} insert into security_events (id, user_id, type, at_ms, times) select ${id}, ${user}, 'signed_in', 1700000000000 + n, 1 from numbers`.execute(db)
  await sql`${numbers} insert into idempotency_keys (user_id, key_hash, request_hash, answer, created_at_ms) select ${user}, ${id}, '', '{}', 1700000000000 + n from numbers`.execute(db)
  await sql`${numbers} insert into api_keys (id, user_id, name, key_id, secret_hash, created_at_ms, revoked_at_ms) select ${id}, ${user}, 'Key', 'plk_' || ${id}, ${id}, 1700000000000 + n, 1 from numbers`.execute(db)
  await sql`${numbers} insert into key_makers (id, user_id, key_id, how, at_ms) select ${id}, ${user}, ${id}, 'created', 1700000000000 + n from numbers`.execute(db)
}
