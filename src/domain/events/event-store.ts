import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import { prepared, preparedInTransaction, preparedRow } from '../../database/prepared.ts'
import type { Parameter, RowParameters } from '../../database/prepared.ts'
import type { SecurityEventsTable } from '../../database/tables/tables.ts'
import type { Position } from '../../lib/position.ts'

export type SecurityEvent = Selectable<SecurityEventsTable>

/** Call it in the transaction of the change that the event records. */
export const insertEvent = preparedInTransaction((query: QueryBuilder, event: RowParameters<SecurityEvent>) =>
  query.insertInto('security_events').values(event),
)

function newestFirst(db: Queries, userId: string, after: Position | undefined) {
  return db.query
    .selectFrom('security_events')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(after !== undefined, (query) =>
      query
        // Implied by the OR; it lets a database start its index scan at `after`.
        .where('at_ms', '<=', after?.atMs ?? 0)
        .where((row) => row.or([row('at_ms', '<', after?.atMs ?? 0), row('id', '<', after?.id ?? '')])),
    )
    .orderBy('at_ms', 'desc')
    .orderBy('id', 'desc')
}

/**
 * The user's events, newest first, after a position.
 * @param page events of `hiddenTypes` are left out
 */
export function findEvents(
  db: Queries,
  userId: string,
  page: Readonly<{
    after: Position | undefined
    limit: number
    hiddenTypes: readonly string[]
  }>,
): Promise<SecurityEvent[]> {
  const { after, limit, hiddenTypes } = page
  return newestFirst(db, userId, after)
    .$if(hiddenTypes.length > 0, (query) => query.where('type', 'not in', hiddenTypes))
    .limit(limit)
    .execute()
}

/**
 * The user's events of these types, newest first, after a position. It reads at most `limit` rows of each type, however
 * many the account has.
 */
export async function findEventsOfTypes(
  db: Queries,
  userId: string,
  page: Readonly<{ after: Position | undefined; limit: number; types: readonly string[] }>,
): Promise<SecurityEvent[]> {
  const { after, limit, types } = page
  const newestOf = (type: string) => newestFirst(db, userId, after).where('type', '=', type).limit(limit).execute()
  const found = (await Promise.all(types.map(newestOf))).flat()
  return found.toSorted((a, b) => b.at_ms - a.at_ms || (a.id < b.id ? 1 : -1)).slice(0, limit)
}

/** The user's events of these types since a time, oldest first. */
export function findEventsSince(
  db: Queries,
  userId: string,
  types: readonly string[],
  sinceMs: number,
): Promise<SecurityEvent[]> {
  return db.query
    .selectFrom('security_events')
    .selectAll()
    .where('user_id', '=', userId)
    .where('type', 'in', types)
    .where('at_ms', '>=', sinceMs)
    .orderBy('at_ms')
    .orderBy('id')
    .execute()
}

/** Of the account's creation; undefined when it is not on record. */
export const findCreationEvent = preparedRow((query: QueryBuilder, userId: Parameter<string>) =>
  query
    .selectFrom('security_events')
    .selectAll()
    .where('user_id', '=', userId)
    .where('type', '=', 'account_created')
    .limit(1),
)

/** The user's events of these types from `fromMs` until before `beforeMs`. The caller holds the user's lock. */
export function findEventsBetween(
  trx: Transaction,
  userId: string,
  types: readonly string[],
  span: Readonly<{ fromMs: number; beforeMs: number }>,
): Promise<SecurityEvent[]> {
  return trx.query
    .selectFrom('security_events')
    .selectAll()
    .where('user_id', '=', userId)
    .where('type', 'in', types)
    .where('at_ms', '>=', span.fromMs)
    .where('at_ms', '<', span.beforeMs)
    .execute()
}

/** The keys that were reported as leaked in a time span; null: keys no longer on record. */
export function findLeakedKeys(
  trx: Transaction,
  userId: string,
  span: Readonly<{ fromMs: number; beforeMs: number }>,
): Promise<Readonly<{ recordId: string | null }>[]> {
  return trx.query
    .selectFrom('security_events')
    .leftJoin('api_keys', (join) =>
      join.onRef('api_keys.id', '=', 'security_events.api_key_id').on('api_keys.user_id', '=', userId),
    )
    .select('api_keys.id as recordId')
    .distinct()
    .where('security_events.user_id', '=', userId)
    .where('security_events.type', '=', 'key_leaked')
    .where('security_events.at_ms', '>=', span.fromMs)
    .where('security_events.at_ms', '<', span.beforeMs)
    .execute()
}

/** Bound on the sign-ins read for their browsers. */
const SIGN_INS_READ = 100

/**
 * The browsers of the user's sign-ins since a time and after the last one that the owner disowned; null stands for
 * programs and unknown browsers.
 */
export async function findBrowsersSignedIn(
  db: Queries,
  userId: string,
  sinceMs: number,
): Promise<readonly (string | null)[]> {
  const [disowned] = await readLastDisowning(db, userId)
  const rows = await readBrowsersSignedIn(db, userId, Math.max(sinceMs, (disowned?.at_ms ?? 0) + 1))
  return [...new Set(rows.map(({ browser }) => browser))]
}

const NOT_ME = 'not_me'
const EMAIL_CHANGE_UNDONE = 'email_change_undone'

const readLastDisowning = prepared((query: QueryBuilder, userId: Parameter<string>) =>
  query
    .selectFrom('security_events')
    .select('at_ms')
    .where('user_id', '=', userId)
    // Literals, not parameters: the condition of an index.
    .where('type', 'in', [sql.lit(NOT_ME), sql.lit(EMAIL_CHANGE_UNDONE)])
    .where('sign_in_id', 'is not', null)
    // Not the maximum, for which SQLite reads every event of these types.
    .orderBy('at_ms', 'desc')
    .limit(1),
)

const readBrowsersSignedIn = prepared((query: QueryBuilder, userId: Parameter<string>, sinceMs: Parameter<number>) =>
  query
    .selectFrom('security_events')
    .select('browser')
    .where('user_id', '=', userId)
    .where('type', '=', 'signed_in')
    .where('at_ms', '>=', sinceMs)
    .orderBy('at_ms', 'desc')
    .limit(SIGN_INS_READ),
)

/** Adds to the `times` of a stored event and sets its browser. The caller holds the user's lock. */
export async function incrementTimes(
  trx: Transaction,
  id: string,
  { more, browser }: Readonly<{ more: number; browser: string | null }>,
): Promise<void> {
  await trx.query
    .updateTable('security_events')
    .set((row) => ({ times: row('times', '+', more), browser }))
    .where('id', '=', id)
    .execute()
}

/** Owner and time of all users' events since a time, oldest first. */
export function findEventsOfAllUsersSince(
  db: Queries,
  sinceMs: number,
  limit: number,
): Promise<Pick<SecurityEvent, 'user_id' | 'at_ms'>[]> {
  return db.query
    .selectFrom('security_events')
    .select(['user_id', 'at_ms'])
    .where('at_ms', '>=', sinceMs)
    .orderBy('at_ms')
    .limit(limit)
    .execute()
}

/** The time of the next event after the user's `count` newest before `beforeMs`; `undefined` when there is none. */
export async function findEventTimeAfterNewest(
  db: Queries,
  userId: string,
  count: number,
  beforeMs: number,
): Promise<number | undefined> {
  return (await readEventAfterNewest(db, userId, count, beforeMs))?.at_ms
}

const readEventAfterNewest = preparedRow(
  (query: QueryBuilder, userId: Parameter<string>, count: Parameter<number>, beforeMs: Parameter<number>) =>
    query
      .selectFrom('security_events')
      .select('at_ms')
      .where('user_id', '=', userId)
      .where('at_ms', '<', beforeMs)
      .orderBy('at_ms', 'desc')
      .offset(count)
      .limit(1),
)

/** Deletes a batch of the user's events up to a time. @returns rows deleted; fewer than `limit` when none are left */
export function deleteEventsUntil(db: Queries, userId: string, untilMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'security_events',
    key: ['id'],
    orderedBy: 'at_ms',
    where: (row) => row.and([row('user_id', '=', userId), row('at_ms', '<=', untilMs)]),
    limit,
  })
}

/** Deletes a batch of events older than a time. @returns rows deleted; fewer than `limit` when none are left */
export function deleteEventsBefore(db: Queries, beforeMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'security_events',
    key: ['id'],
    orderedBy: 'at_ms',
    where: (row) => row('at_ms', '<', beforeMs),
    limit,
  })
}
