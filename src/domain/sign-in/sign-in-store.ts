import { sql } from 'kysely'
import type { Selectable, SqlBool } from 'kysely'
import type { PreparedQueries, Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import { prepared, preparedInTransaction } from '../../database/prepared.ts'
import type { RowParameters } from '../../database/prepared.ts'
import type { SignInsTable } from '../../database/tables/tables.ts'
import { isRecordId } from '../../database/record-id.ts'
import type { User } from '../users/user-store.ts'

export type SignIn = Selectable<SignInsTable>

export const insertSignIn = preparedInTransaction((query: QueryBuilder, signIn: RowParameters<SignIn>) =>
  query.insertInto('sign_ins').values(signIn),
)

/** The account with its current `token_version`. Sign-ins last seen at `idleSinceMs` or before have ended. */
export type LiveSince = Readonly<{
  user: Pick<User, 'id' | 'token_version'>
  nowMs: number
  idleSinceMs: number
}>

/** The account's live sign-ins, last seen first. */
export const findLiveSignIns = (db: PreparedQueries, { user, nowMs, idleSinceMs }: LiveSince): Promise<SignIn[]> =>
  readLiveSignIns(db, { userId: user.id, tokenVersion: user.token_version, nowMs, idleSinceMs })

type LiveSignIns = Readonly<{ userId: string; tokenVersion: number; nowMs: number; idleSinceMs: number }>

const readLiveSignIns = prepared((query: QueryBuilder, live: RowParameters<LiveSignIns>) =>
  query
    .selectFrom('sign_ins')
    .selectAll()
    .where('user_id', '=', live.userId)
    .where('token_version', '=', live.tokenVersion)
    .where('ended_at_ms', 'is', null)
    .where('expires_at_ms', '>', live.nowMs)
    .where('last_seen_at_ms', '>', live.idleSinceMs)
    .orderBy('last_seen_at_ms', 'desc')
    .orderBy('id', 'desc'),
)

const oldestFirst = (db: Queries, userId: string) =>
  db.query.selectFrom('sign_ins').selectAll().where('user_id', '=', userId).orderBy('created_at_ms').orderBy('id')

/** All sign-ins of the user on record since a time, oldest first. */
export function findSignIns(db: Queries, userId: string, sinceMs: number): Promise<SignIn[]> {
  return oldestFirst(db, userId).where('created_at_ms', '>=', sinceMs).execute()
}

/** Sign-ins of the user on record, live or ended, oldest first. */
export function findSignInPage(
  db: Queries,
  userId: string,
  { after, limit }: Readonly<{ after: SignIn | undefined; limit: number }>,
): Promise<SignIn[]> {
  const signIns = oldestFirst(db, userId).limit(limit)
  if (after === undefined) return signIns.execute()
  return signIns.where(sql<SqlBool>`(created_at_ms, id) > (${after.created_at_ms}, ${after.id})`).execute()
}

/** `id` may be any text. `undefined` also when the sign-in belongs to another user. */
export async function findSignIn(db: Queries, userId: string, id: string): Promise<SignIn | undefined> {
  if (!isRecordId(id)) return undefined
  return db.query
    .selectFrom('sign_ins')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

/** Skips ended ones. The caller holds the user's lock. */
export async function endSignIns(trx: Transaction, ids: readonly string[], nowMs: number): Promise<void> {
  if (ids.length === 0) return
  await lockSignIns(trx, ids)
  await trx.query
    .updateTable('sign_ins')
    .set({ ended_at_ms: nowMs })
    .where('id', 'in', ids)
    .where('ended_at_ms', 'is', null)
    .execute()
}

/** The sign-in outlives a revocation of all tokens. The caller holds the user's lock. */
export async function carrySignInOver(trx: Transaction, id: string, tokenVersion: number): Promise<void> {
  await trx.query.updateTable('sign_ins').set({ token_version: tokenVersion }).where('id', '=', id).execute()
}

/** @param seenAtMs by id; times earlier than the stored one are ignored */
export async function recordSeen(trx: Transaction, seenAtMs: ReadonlyMap<string, number>): Promise<void> {
  if (seenAtMs.size === 0) return
  await lockSignIns(trx, [...seenAtMs.keys()])
  const seen = [...seenAtMs].map(([id, atMs]) => sql`(${id}, cast(${atMs} as bigint))`)
  await trx.query
    .updateTable('sign_ins')
    // Both databases give unnamed columns these names.
    .from(sql<{ column1: string; column2: number }>`(values ${sql.join(seen)})`.as<'seen'>(sql`seen`))
    .set((row) => ({ last_seen_at_ms: row.ref('seen.column2') }))
    .whereRef('sign_ins.id', '=', 'seen.column1')
    .whereRef('last_seen_at_ms', '<', 'seen.column2')
    .execute()
}

// One lock order: last uses of several accounts are written at once, without the locks of the users.
async function lockSignIns(trx: Transaction, ids: readonly string[]): Promise<void> {
  await trx.query.selectFrom('sign_ins').select('id').where('id', 'in', ids).orderBy('id').forUpdate().execute()
}

/** Deletes a batch of expired sign-ins. @returns rows deleted; fewer than `limit` when none are left */
export function deleteExpiredSignIns(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'sign_ins',
    key: ['id'],
    orderedBy: 'expires_at_ms',
    where: (row) => row('expires_at_ms', '<=', nowMs),
    limit,
  })
}
