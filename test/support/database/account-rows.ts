import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Database } from '../../../src/database/database.ts'
import { isPostgres } from './triggers.ts'

/** SQL expressions for columns of an account's links; `n` is the link's number, 1 is the oldest. */
export type LinkShape = Readonly<{
  deactivatedAt?: string
  expiresAt?: string
  apiKeyId?: string
  reference?: string
  claimedAt?: string
}>

/** Adds payment links to an account, each a millisecond newer than the one before. */
export async function addLinks(db: Database, userId: string, count: number, shape: LinkShape = {}): Promise<void> {
  const raw = (text = 'null') => sql.raw(text)
  const columns = sql.raw(
    'id, user_id, api_key_id, title, reference, amount, currency, created_at_ms, expires_at_ms, deactivated_at_ms, claimed_at_ms',
  )
  await insertMany(
    db,
    count,
    (numbers) => sql`
    insert into payment_links (${columns})
    select ${idOf(userId)}, ${sql.lit(userId)}, ${raw(shape.apiKeyId)}, 'Lunch', ${raw(shape.reference)}, 1050, 'RON',
      1700000000000 + n, ${raw(shape.expiresAt)}, ${raw(shape.deactivatedAt)}, ${raw(shape.claimedAt ?? '1')} from ${numbers}`,
  )
}

/** Adds `count` rows to every other table that the deletion of an account deletes from. */
export async function addOtherRows(db: Database, userId: string, count: number): Promise<void> {
  const [id, user, atMs] = [idOf(userId), sql.lit(userId), sql`1700000000000 + n`]
  await insertMany(
    db,
    count,
    (numbers) =>
      sql`insert into security_events (id, user_id, type, at_ms, times) select ${id}, ${user}, 'signed_in', ${atMs}, 1 from ${numbers}`,
  )
  await insertMany(
    db,
    count,
    (numbers) =>
      sql`insert into idempotency_keys (user_id, key_hash, request_hash, answer, created_at_ms) select ${user}, ${id}, '', '{}', ${atMs} from ${numbers}`,
  )
  await insertMany(
    db,
    count,
    (numbers) =>
      sql`insert into api_keys (id, user_id, name, key_id, secret_hash, created_at_ms, revoked_at_ms) select ${id}, ${user}, 'Key', 'plk_' || ${id}, ${id}, ${atMs}, 1 from ${numbers}`,
  )
  await insertMany(
    db,
    count,
    (numbers) =>
      sql`insert into key_makers (id, user_id, key_id, how, at_ms) select ${id}, ${user}, ${id}, 'created', ${atMs} from ${numbers}`,
  )
}

const idOf = (userId: string) => sql`${sql.lit(userId)} || '-' || (10000000 + n)`

/** Rows per INSERT, so that each statement stays within the server's statement timeout. */
const AT_ONCE = 250_000

async function insertMany(
  db: Database,
  count: number,
  insert: (numbers: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<void> {
  for (let from = 1; from <= count; from += AT_ONCE) {
    const [first, last] = [sql.lit(from), sql.lit(Math.min(count, from + AT_ONCE - 1))]
    const numbers = isPostgres(db)
      ? sql`generate_series(${first}, ${last}) as numbers (n)`
      : sql`(with recursive numbers (n) as (select ${first} union all select n + 1 from numbers where n < ${last}) select n from numbers)`
    await db.transaction(async (trx) => {
      // Skips the foreign-key check for each row.
      if (isPostgres(db)) await sql`set local session_replication_role = replica`.execute(trx.query)
      await insert(numbers).execute(trx.query)
    })
  }
}
