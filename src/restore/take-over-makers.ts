/** Takes over who created, rotated and kept keys from the replaced database into the restored one. */
import { sql } from 'kysely'
import type { Selectable, SqlBool } from 'kysely'
import type { Queries, Transaction } from '../database/database.ts'
import type { ApiKeysTable } from '../database/tables/key-tables.ts'

type ApiKey = Selectable<ApiKeysTable>

/** "This wasn't me" and the revocation of descendants depend on them. */
export async function takeOverMakers(trx: Transaction, replaced: Queries, keys: readonly ApiKey[]): Promise<void> {
  // The account's id stands for deleted keys (domain/keys/key-history.ts).
  const ids = [...new Set(keys.flatMap((key) => [key.id, key.user_id]))]
  const found = await replaced.query.selectFrom('key_makers').selectAll().where('key_id', 'in', ids).execute()
  // By name: another version may have more or fewer columns.
  const makers = found.map(({ id, user_id, key_id, how, maker_key_id, sign_in_id, at_ms, last_at_ms }) => {
    return { id, user_id, key_id, how, maker_key_id, sign_in_id, at_ms, last_at_ms: last_at_ms ?? null }
  })
  for (let done = 0; done < makers.length; done += MAKERS_AT_ONCE) {
    const some = makers.slice(done, done + MAKERS_AT_ONCE)
    await trx.query
      .insertInto('key_makers')
      .values(some)
      // The later time: the replaced database may be the older one.
      .onConflict((conflict) =>
        conflict
          .column('id')
          .doUpdateSet((row) => ({ last_at_ms: row.ref('excluded.last_at_ms') }))
          .where(sql<SqlBool>`excluded.last_at_ms > coalesce(key_makers.last_at_ms, 0)`),
      )
      .execute()
  }
}

const MAKERS_AT_ONCE = 500

/** "This wasn't me" deleted `kept` rows there: a key of a claimed account that has none there loses it here. */
export async function withdrawKept(trx: Transaction, replaced: Queries, keys: readonly ApiKey[]): Promise<void> {
  const ids = keys.map(({ id }) => id)
  const keptHere = await trx.query
    .selectFrom('key_makers')
    .select(['key_id', 'user_id'])
    .where('key_id', 'in', ids)
    .where('how', '=', 'kept')
    .execute()
  if (keptHere.length === 0) return
  const there = await replaced.query
    .selectFrom('key_makers')
    .select('key_id')
    .where('key_id', 'in', ids)
    .where('how', '=', 'kept')
    .execute()
  const owners = keptHere.map((row) => row.user_id)
  const claimed = await replaced.query
    .selectFrom('users')
    .select('id')
    .where('id', 'in', owners)
    .where('claimed_at_ms', 'is not', null)
    .execute()
  const kept = new Set(there.map((row) => row.key_id))
  const known = new Set(claimed.map(({ id }) => id))
  const undone = keptHere.filter((row) => !kept.has(row.key_id) && known.has(row.user_id)).map((row) => row.key_id)
  if (undone.length > 0)
    await trx.query.deleteFrom('key_makers').where('key_id', 'in', undone).where('how', '=', 'kept').execute()
}
