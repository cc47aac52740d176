/** What an exchange reads: one key with its user, by the public id. */
import { sql } from 'kysely'
import { compiledOnce } from '../db/compiled-once.ts'
import type { Db } from '../db/db.ts'
import { readByTurn } from '../db/read-by-turn.ts'
import { readOnly } from '../db/standby.ts'

const exchangeColumns = [
  'api_keys.id',
  'api_keys.secret_hash',
  'api_keys.previous_secret_hash',
  'api_keys.previous_secret_until_ms',
  'api_keys.expires_at_ms',
  'api_keys.awaits_owner_at_ms',
  'api_keys.revoked_at_ms',
  'users.id as user_id',
  'users.email',
  'users.role',
  'users.token_version',
] as const

const exchangeKeys = (db: Db) =>
  db.selectFrom('api_keys').innerJoin('users', 'users.id', 'api_keys.user_id').select(exchangeColumns)

const readKeyForExchange = compiledOnce((db: Db, keyId: string) => exchangeKeys(db).where('api_keys.key_id', '=', keyId))

const readKeysForExchange = compiledOnce((db: Db, keyIds: readonly string[]) =>
  exchangeKeys(db)
    .innerJoin(
      sql<{ key_id: string; position: number }>`unnest(${keyIds}::text[]) with ordinality`.as<'asked'>(
        sql`asked(key_id, position)`,
      ),
      'asked.key_id',
      'api_keys.key_id',
    )
    .select(['asked.position', readOnly]),
)

/** A key with its user, as the exchange needs them. */
export type ExchangeKey = NonNullable<Awaited<ReturnType<typeof findKeyForExchange>>>

/**
 * The key with this public id and its user, or `undefined`.
 * @throws {StandbyError} where the server lags behind the one that knows what is revoked
 */
export const findKeyForExchange = readByTurn(readKeyForExchange, readKeysForExchange)
