/** The exchange's queries on `api_keys`, and the uses of keys. */
import { sql } from 'kysely'
import { readOnly } from '../../database/batched-read.ts'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { prepared } from '../../database/prepared.ts'
import type { Parameter } from '../../database/prepared.ts'
import { lockKeysById } from './key-store.ts'

const exchangeColumns = [
  'api_keys.id',
  'api_keys.secret_hash',
  'api_keys.previous_secret_hash',
  'api_keys.previous_secret_until_ms',
  'api_keys.expires_at_ms',
  'api_keys.awaits_owner_at_ms',
  'api_keys.revoked_at_ms',
  'api_keys.last_used_at_ms',
  'api_keys.effective_restrictions',
  'users.id as user_id',
  'users.email',
  'users.role',
  'users.token_version',
  'users.disabled_at_ms',
] as const

const exchangeKeys = (query: QueryBuilder) =>
  query.selectFrom('api_keys').innerJoin('users', 'users.id', 'api_keys.user_id').select(exchangeColumns)

const readKeyForExchange = prepared((query: QueryBuilder, keyId: Parameter<string>) =>
  exchangeKeys(query).where('api_keys.key_id', '=', keyId),
)

const readKeysForExchange = prepared((query: QueryBuilder, keyIds: Parameter<readonly string[]>) =>
  exchangeKeys(query)
    .innerJoin(
      sql<{ key_id: string; position: number }>`unnest(${keyIds}::text[]) with ordinality`.as<'asked'>(
        sql`asked(key_id, position)`,
      ),
      'asked.key_id',
      'api_keys.key_id',
    )
    .select(['asked.position', readOnly]),
)

// Without `isSame`: shared reads would reveal which of two ids belongs to a key.
const exchangeKey = { readOne: readKeyForExchange, readMany: readKeysForExchange }
/** The key with this public id, and its user. @throws {StandbyError} when the server may lag behind a revocation */
export const findKeyForExchange = (db: Queries, keyId: string) => db.readBatched(exchangeKey, keyId)

export type ExchangeKey = NonNullable<Awaited<ReturnType<typeof findKeyForExchange>>>

/**
 * Writes when and from where keys were last used; never moves a time back. Locks the keys.
 * @param uses one per key, at most a few hundred
 */
export async function recordKeyUses(
  trx: Transaction,
  uses: readonly Readonly<{ id: string; atMs: number; network: string }>[],
): Promise<void> {
  if (uses.length === 0) return
  const ids = uses.map(({ id }) => id)
  await lockKeysById(trx, ids)
  const rows = uses.map(({ id, atMs, network }) => sql`(${id}, cast(${atMs} as bigint), ${network})`)
  // Both databases give unnamed columns these names.
  type Used = { column1: string; column2: number; column3: string }
  await trx.query
    .updateTable('api_keys')
    .from(sql<Used>`(values ${sql.join(rows)})`.as<'used'>(sql`used`))
    .set((row) => ({ last_used_at_ms: row.ref('used.column2'), last_used_network: row.ref('used.column3') }))
    .whereRef('api_keys.id', '=', 'used.column1')
    .where((row) => row.or([row('last_used_at_ms', 'is', null), row('last_used_at_ms', '<', row.ref('used.column2'))]))
    .execute()
}
