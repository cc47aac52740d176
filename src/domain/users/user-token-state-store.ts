import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { readOnly } from '../../database/batched-read.ts'
import type { BatchedRead } from '../../database/batched-read.ts'
import type { Queries, QueryBuilder } from '../../database/database.ts'
import { prepared } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { User } from './user-store.ts'

/** Current state of a token's user and of its API key or sign-in. */
export type TokenState = Readonly<
  Pick<User, 'id' | 'email' | 'role' | 'name' | 'token_version' | 'claimed_at_ms' | 'created_at_ms' | 'disabled_at_ms'>
> &
  Readonly<{
    /** Whether an unspent key of the user awaits the owner. */
    has_keys_awaiting: SqlBool
    /** Null when the token came from no key, or the key is deleted. */
    key: string | null
    expires_at_ms: number | null
    revoked_at_ms: number | null
    awaits_owner_at_ms: number | null
    family_id: string | null
    effective_restrictions: string | null
    /** Null when the token came from no sign-in on record. */
    sign_in: string | null
    signed_in_at_ms: number | null
    last_seen_at_ms: number | null
    ended_at_ms: number | null
  }>

const tokenStateColumns = [
  'users.id',
  'users.email',
  'users.role',
  'users.name',
  'users.token_version',
  'users.claimed_at_ms',
  'users.created_at_ms',
  'users.disabled_at_ms',
  'api_keys.id as key',
  'api_keys.expires_at_ms',
  'api_keys.revoked_at_ms',
  'api_keys.awaits_owner_at_ms',
  'api_keys.family_id',
  'api_keys.effective_restrictions',
  'sign_ins.id as sign_in',
  'sign_ins.created_at_ms as signed_in_at_ms',
  'sign_ins.last_seen_at_ms',
  'sign_ins.ended_at_ms',
] as const

// Uses a partial index of the waiting keys.
const hasKeysAwaiting = (nowMs: RawBuilder<number>) =>
  sql<SqlBool>`exists (
  select 1 from api_keys as waiting where waiting.user_id = users.id and waiting.awaits_owner_at_ms is not null
  and waiting.kind = 'key' and waiting.revoked_at_ms is null and (waiting.expires_at_ms is null or waiting.expires_at_ms > ${nowMs}))`.as(
    'has_keys_awaiting',
  )

const readTokenState = prepared((query: QueryBuilder, { userId, apiKeyId, signInId, nowMs }: RowParameters<Asked>) =>
  query
    .selectFrom('users')
    .leftJoin('api_keys', (join) => join.onRef('api_keys.user_id', '=', 'users.id').on('api_keys.id', '=', apiKeyId))
    .leftJoin('sign_ins', (join) => join.onRef('sign_ins.user_id', '=', 'users.id').on('sign_ins.id', '=', signInId))
    .select(tokenStateColumns)
    .select(hasKeysAwaiting(sql`${nowMs}`))
    .where('users.id', '=', userId),
)

/** A token has a key or a sign-in: one of both ids is null. */
type Asked = Readonly<{ userId: string; apiKeyId: string | null; signInId: string | null; nowMs: number }>
type AskedRow = Readonly<{
  user_id: string
  api_key_id: string | null
  sign_in_id: string | null
  now_ms: number
  position: number
}>

const readTokenStates = prepared(
  (
    query: QueryBuilder,
    userIds: Parameter<readonly string[]>,
    apiKeyIds: Parameter<readonly (string | null)[]>,
    signInIds: Parameter<readonly (string | null)[]>,
    nowsMs: Parameter<readonly number[]>,
  ) =>
    query
      .selectFrom('users')
      .innerJoin(
        sql<AskedRow>`unnest(${userIds}::text[], ${apiKeyIds}::text[], ${signInIds}::text[], ${nowsMs}::bigint[]) with ordinality`.as<'asked'>(
          sql`asked(user_id, api_key_id, sign_in_id, now_ms, position)`,
        ),
        'asked.user_id',
        'users.id',
      )
      .leftJoin('api_keys', (join) =>
        join.onRef('api_keys.user_id', '=', 'users.id').onRef('api_keys.id', '=', 'asked.api_key_id'),
      )
      .leftJoin('sign_ins', (join) =>
        join.onRef('sign_ins.user_id', '=', 'users.id').onRef('sign_ins.id', '=', 'asked.sign_in_id'),
      )
      .select(tokenStateColumns)
      .select(['asked.position', readOnly, hasKeysAwaiting(sql.ref('asked.now_ms'))]),
)

const tokenState: BatchedRead<Asked, TokenState> = {
  readOne: readTokenState,
  readMany: (db, all) =>
    readTokenStates(
      db,
      all.map(({ userId }) => userId),
      all.map(({ apiKeyId }) => apiKeyId),
      all.map(({ signInId }) => signInId),
      all.map(({ nowMs }) => nowMs),
    ),
  isSame: (one, other) =>
    one.apiKeyId === other.apiKeyId &&
    one.signInId === other.signInId &&
    one.userId === other.userId &&
    one.nowMs === other.nowMs,
}

/**
 * The guard's read on every call: never cached (docs/decisions/0004). `undefined` when the user does not exist.
 * @throws {StandbyError} when the server may lag behind a revocation
 */
export const findTokenState = (db: Queries, asked: Asked) => db.readBatched(tokenState, asked)
