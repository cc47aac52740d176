import { sql } from 'kysely'
import type { Selectable } from 'kysely'
import type { Queries, QueryBuilder, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import { preparedRow } from '../../database/prepared.ts'
import type { Parameter } from '../../database/prepared.ts'
import type { AddressChangesTable } from '../../database/tables/address-change-table.ts'
import type { Identity } from '../google/identity-store.ts'

export type AddressChange = Selectable<AddressChangesTable>

/** The Google connections that the account had before a change. */
export const identitiesBefore = ({ identities }: AddressChange): readonly Identity[] =>
  JSON.parse(identities ?? '[]') as Identity[]

/** Replaces the user's pending change. The caller holds the user's lock. */
export async function insertPendingChange(trx: Transaction, change: AddressChange): Promise<void> {
  await trx.query
    .updateTable('address_changes')
    .set({ ended_at_ms: change.asked_at_ms })
    .where('user_id', '=', change.user_id)
    .where('confirmed_at_ms', 'is', null)
    .where('ended_at_ms', 'is', null)
    .execute()
  await trx.query.insertInto('address_changes').values(change).execute()
}

/** The pending changes to an address, of any account. A higher `tokenVersion` than at the request ends a change. */
export function findPendingChanges(db: Queries, newEmail: string, nowMs: number): Promise<AddressChange[]> {
  return (
    db.query
      .selectFrom('address_changes')
      .selectAll()
      .where('new_email', '=', newEmail)
      .where('confirmed_at_ms', 'is', null)
      .where('ended_at_ms', 'is', null)
      .where('expires_at_ms', '>', nowMs)
      // Not a join, for which PostgreSQL may read all users.
      .where(
        'token_version',
        '=',
        sql<number>`(select users.token_version from users where users.id = address_changes.user_id and disabled_at_ms is null)`,
      )
      .execute()
  )
}

/** Marks a pending change as confirmed. The caller holds the user's lock. */
export async function confirmChange(
  trx: Transaction,
  id: string,
  confirmed: Pick<AddressChange, 'confirmed_at_ms' | 'undo_until_ms' | 'identities' | 'kept_until_ms'>,
): Promise<void> {
  await trx.query.updateTable('address_changes').set(confirmed).where('id', '=', id).execute()
}

/**
 * The oldest change that the holder of this address can undo, which reserves the address. To be sure that nobody
 * confirms such a change meanwhile, first write a user's row with the address.
 */
export const findReservation = preparedRow(
  (query: QueryBuilder, oldEmail: Parameter<string>, nowMs: Parameter<number>) =>
    query
      .selectFrom('address_changes')
      .selectAll()
      .where('old_email', '=', oldEmail)
      .where('undo_until_ms', '>', nowMs)
      .where('ended_at_ms', 'is', null)
      .orderBy('token_version')
      .limit(1),
)

/** The user's changes that can be undone, oldest first. */
export function findUndoableChanges(db: Queries, userId: string, nowMs: number): Promise<AddressChange[]> {
  return db.query
    .selectFrom('address_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('undo_until_ms', '>', nowMs)
    .where('ended_at_ms', 'is', null)
    .orderBy('token_version')
    .execute()
}

/** The user's changes, also ended ones, that were asked for or confirmed in this time. */
export function findChangesBetween(
  db: Queries,
  userId: string,
  { fromMs, untilMs }: Readonly<{ fromMs: number; untilMs: number }>,
): Promise<AddressChange[]> {
  return db.query
    .selectFrom('address_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where((row) =>
      row.or([row.between('asked_at_ms', fromMs, untilMs), row.between('confirmed_at_ms', fromMs, untilMs)]),
    )
    .execute()
}

/** All changes of the user on record, oldest first. */
export function findChangesOf(db: Queries, userId: string): Promise<AddressChange[]> {
  return db.query
    .selectFrom('address_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('asked_at_ms')
    .orderBy('id')
    .execute()
}

/** The caller holds the user's lock. */
export async function endChanges(trx: Transaction, ids: readonly string[], nowMs: number): Promise<void> {
  await trx.query
    .updateTable('address_changes')
    .set({ ended_at_ms: nowMs, deletion_asked_at_ms: null })
    .where('id', 'in', ids)
    .execute()
}

/** The caller holds the user's lock. */
export async function setDeletionAsked(trx: Transaction, id: string, atMs: number): Promise<void> {
  await trx.query.updateTable('address_changes').set({ deletion_asked_at_ms: atMs }).where('id', '=', id).execute()
}

/** The caller holds the user's lock. */
export async function clearDeletionAsked(trx: Transaction, userId: string): Promise<void> {
  await trx.query
    .updateTable('address_changes')
    .set({ deletion_asked_at_ms: null })
    .where('user_id', '=', userId)
    .where('deletion_asked_at_ms', 'is not', null)
    .execute()
}

/** The change with which the user's account is to be erased. */
export function findDeletionAsked(db: Queries, userId: string): Promise<AddressChange | undefined> {
  return db.query
    .selectFrom('address_changes')
    .selectAll()
    .where('user_id', '=', userId)
    .where('deletion_asked_at_ms', 'is not', null)
    .executeTakeFirst()
}

/** The accounts to erase, because nobody can undo the change of their addresses any more. */
export async function findDueDeletions(db: Queries, nowMs: number, limit: number): Promise<string[]> {
  const due = await db.query
    .selectFrom('address_changes')
    .select('user_id')
    .where('deletion_asked_at_ms', 'is not', null)
    .where('undo_until_ms', '<=', nowMs)
    .orderBy('undo_until_ms')
    .limit(limit)
    .execute()
  return due.map((change) => change.user_id)
}

/** Deletes a batch of changes that nothing needs. @returns rows deleted; fewer than `limit` when none are left */
export function deleteOldChanges(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'address_changes',
    key: ['id'],
    orderedBy: 'kept_until_ms',
    where: (row) => row.and([row('kept_until_ms', '<=', nowMs), row('deletion_asked_at_ms', 'is', null)]),
    limit,
  })
}

/** The caller holds the user's lock. */
export async function deleteChangesOf(trx: Transaction, userId: string): Promise<void> {
  await trx.query.deleteFrom('address_changes').where('user_id', '=', userId).execute()
}
