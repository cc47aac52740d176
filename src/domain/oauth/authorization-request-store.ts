/** All queries on `authorization_requests`. */
import type { Selectable } from 'kysely'
import type { Queries, Transaction } from '../../database/database.ts'
import { deleteBatch } from '../../database/delete-batch.ts'
import type { AuthorizationRequestsTable } from '../../database/tables/authorization-request-table.ts'
import { isRecordId } from '../../database/record-id.ts'

export type StoredRequest = Selectable<AuthorizationRequestsTable>

export async function insertRequest(db: Queries, request: StoredRequest): Promise<void> {
  await db.query.insertInto('authorization_requests').values(request).execute()
}

/** A request of the user that is not decided; `id` may be any text. The caller holds the user's lock. */
export async function findUndecided(
  trx: Transaction,
  userId: string,
  id: string,
  nowMs: number,
): Promise<StoredRequest | undefined> {
  if (!isRecordId(id)) return undefined
  return trx.query
    .selectFrom('authorization_requests')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('decided_at_ms', 'is', null)
    .where('expires_at_ms', '>', nowMs)
    .executeTakeFirst()
}

export function findByCode(db: Queries, codeHash: string): Promise<StoredRequest | undefined> {
  return db.query.selectFrom('authorization_requests').selectAll().where('code_hash', '=', codeHash).executeTakeFirst()
}

/** The caller holds the user's lock. */
export async function updateRequest(trx: Transaction, id: string, change: Partial<StoredRequest>): Promise<void> {
  await trx.query.updateTable('authorization_requests').set(change).where('id', '=', id).execute()
}

/** Deletes a batch of expired requests. @returns rows deleted; fewer than `limit` when none are left */
export function deleteExpiredRequests(db: Queries, nowMs: number, limit: number): Promise<number> {
  return deleteBatch(db, {
    table: 'authorization_requests',
    key: ['id'],
    orderedBy: 'expires_at_ms',
    where: (row) => row('expires_at_ms', '<', nowMs),
    limit,
  })
}
